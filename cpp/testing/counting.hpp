// Work counted by brute force: numbers that count what is done with them, arrays that count which of their elements are
// read from memory and written. Used with the plain twin of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace tenken::testing {

inline std::int64_t counted_flop = 0;

struct Counted {
  double value = 0;
  Counted() = default;
  Counted(double v) : value(v) {}
};

inline Counted operator+(Counted a, Counted b) { return ++counted_flop, Counted(a.value + b.value); }
inline Counted operator-(Counted a, Counted b) { return ++counted_flop, Counted(a.value - b.value); }
inline Counted operator*(Counted a, Counted b) { return ++counted_flop, Counted(a.value * b.value); }
inline Counted operator/(Counted a, Counted b) { return ++counted_flop, Counted(a.value / b.value); }

inline Counted& operator+=(Counted& a, Counted b) { return a = a + b; }

// Each element counts once as read, if it is read before it is written, and once as written.
template <class T>
class Watched {
 public:
  explicit Watched(std::size_t n, T value = T{}) : elements_(n, value) {}
  explicit Watched(std::vector<T> elements) : elements_(std::move(elements)) {}

  class Reference {
   public:
    Reference(Watched& array, std::size_t i) : array_(array), i_(i) {}
    operator T() const { return array_.get(i_); }
    Reference& operator=(const T& value) { return array_.set(i_, value), *this; }
    Reference& operator=(const Reference& other) { return *this = static_cast<T>(other); }
    Reference& operator+=(const T& b) { return *this = static_cast<T>(*this) + b; }
    Reference& operator-=(const T& b) { return *this = static_cast<T>(*this) - b; }
    Reference& operator*=(const T& b) { return *this = static_cast<T>(*this) * b; }

   private:
    Watched& array_;
    std::size_t i_;
  };

  template <class Index>
  Reference operator[](Index i) {
    return {*this, static_cast<std::size_t>(i)};
  }

  std::int64_t read() const { return static_cast<std::int64_t>(read_.size()); }
  std::int64_t written() const { return static_cast<std::int64_t>(written_.size()); }

 private:
  T get(std::size_t i) {
    if (!written_.contains(i)) read_.insert(i);
    return elements_[i];
  }
  void set(std::size_t i, const T& value) {
    written_.insert(i);
    elements_[i] = value;
  }

  std::vector<T> elements_;
  std::set<std::size_t> read_;
  std::set<std::size_t> written_;
};

}  // namespace tenken::testing
