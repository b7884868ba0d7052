// Arrays on pages of a chosen size. Page size changes memory bandwidth by up to a factor of two, so it is never left to
// chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace tenken {

enum class Pages {
  base,  // the system's small pages (4 KiB on x86)
  huge,  // transparent huge pages asked for (2 MiB on x86); the kernel may refuse: see huge_bytes()
  any,   // what the system gives by itself
};

Pages pages_from(std::string_view name);  // "base", "huge" or "any"; refuses others

namespace detail {
// Zero-filled anonymous mapping aligned to 2 MiB; throws UserError naming `purpose` when there is not enough memory.
void* map_pages(std::size_t bytes, Pages pages, std::string_view purpose);
void unmap_pages(void* address, std::size_t bytes) noexcept;
std::size_t huge_bytes_of(const void* address);  // AnonHugePages of the mapping, from /proc/self/smaps; 0 if unknown
}  // namespace detail

template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(std::size_t n, Pages pages, std::string_view purpose)
      : data_(static_cast<T*>(detail::map_pages(n * sizeof(T), pages, purpose))), size_(n) {}
  Buffer(Buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Buffer() { detail::unmap_pages(data_, size_ * sizeof(T)); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

  std::size_t huge_bytes() const { return detail::huge_bytes_of(data_); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Bytes that this process may still use: the least of MemAvailable and what its control groups leave.
std::int64_t available_memory_bytes();

}  // namespace tenken
