// Memory of the card, and pinned memory of the host that cards copy from and to at full speed.
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "gpu/runtime.hpp"

namespace tenken::gpu {
inline namespace TENKEN_GPU_FORM {

// n values on the card; their content is undefined until it is written. Copies wait until they are done.
template <class T>
class CardBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "bytes are copied");

 public:
  CardBuffer() = default;
  CardBuffer(std::size_t n, const std::string& purpose)
      : data_(static_cast<T*>(allocate(n * sizeof(T), purpose))), size_(n) {}
  CardBuffer(CardBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  CardBuffer& operator=(CardBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~CardBuffer() { release(data_); }

  T* data() { return data_; }  // an address on the card: only kernels and copies may use it
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  void from_host(const T* values) { copy(data_, values, size_ * sizeof(T), Way::to_card); }
  void to_host(T* values) const { copy(values, data_, size_ * sizeof(T), Way::to_host); }
  void clear() { gpu::clear(data_, size_ * sizeof(T)); }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class T>
class PinnedBuffer {
  static_assert(std::is_trivially_copyable_v<T>, "bytes are copied");

 public:
  PinnedBuffer() = default;
  PinnedBuffer(std::size_t n, const std::string& purpose)
      : data_(static_cast<T*>(allocate_pinned(n * sizeof(T), purpose))), size_(n) {}
  PinnedBuffer(PinnedBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PinnedBuffer& operator=(PinnedBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~PinnedBuffer() { release_pinned(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  T& operator[](std::size_t i) { return data_[i]; }
  const T& operator[](std::size_t i) const { return data_[i]; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace TENKEN_GPU_FORM
}  // namespace tenken::gpu
