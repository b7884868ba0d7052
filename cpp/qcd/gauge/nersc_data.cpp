#include "qcd/gauge/nersc_data.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace tenken::qcd {

namespace {

std::uint32_t swapped(std::uint32_t x) { return __builtin_bswap32(x); }
std::uint64_t swapped(std::uint64_t x) { return __builtin_bswap64(x); }

template <class Real>
using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

template <class Real>
Real load(const std::byte* data, bool swap) {
  Bits<Real> bits;
  std::memcpy(&bits, data, sizeof bits);
  return std::bit_cast<Real>(swap ? swapped(bits) : bits);
}

template <class Real>
void store(Real x, std::byte* data, bool swap) {
  auto bits = std::bit_cast<Bits<Real>>(x);
  if (swap) bits = swapped(bits);
  std::memcpy(data, &bits, sizeof bits);
}

template <class Real>
void decode(const std::byte* data, int rows, bool swap, Link& link) {
  for (int a = 0; a < rows; ++a) {
    for (Complex<double>& element : link.at[a]) {
      element = {load<Real>(data, swap), load<Real>(data + sizeof(Real), swap)};
      data += 2 * sizeof(Real);
    }
  }
}

template <class Real>
void encode(const Link& link, int rows, bool swap, std::byte* data) {
  for (int a = 0; a < rows; ++a) {
    for (const Complex<double>& element : link.at[a]) {
      store(static_cast<Real>(element.re), data, swap);
      store(static_cast<Real>(element.im), data + sizeof(Real), swap);
      data += 2 * sizeof(Real);
    }
  }
}

}  // namespace

std::uint32_t word_sum(std::span<const std::byte> data, ByteOrder order) {
  const bool swap = order != host_order();
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at + 4 <= data.size(); at += 4) {
    std::uint32_t word;
    std::memcpy(&word, data.data() + at, 4);
    sum += swap ? swapped(word) : word;
  }
  return sum;
}

Link decode_link(const NerscForm& form, const std::byte* data) {
  const bool swap = form.order != host_order();
  Link link;
  if (form.real_bytes == 4) {
    decode<float>(data, form.rows, swap, link);
  } else {
    decode<double>(data, form.rows, swap, link);
  }
  if (form.rows == 2) rebuild_third_row(link);
  return link;
}

void encode_link(const NerscForm& form, const Link& link, std::byte* data) {
  const bool swap = form.order != host_order();
  if (form.real_bytes == 4) {
    encode<float>(link, form.rows, swap, data);
  } else {
    encode<double>(link, form.rows, swap, data);
  }
}

bool finite(const Link& link) {
  for (const auto& row : link.at) {
    for (const Complex<double>& a : row) {
      if (!std::isfinite(a.re) || !std::isfinite(a.im)) return false;
    }
  }
  return true;
}

NerscLimits nersc_limits(const NerscHeader& header) {
  constexpr double links = 1e-5, least = 1e-5, most = 1e-2;
  return {.links = links,
          .plaquette = std::clamp(header.plaquette_digit, least, most),
          .link_trace = std::clamp(header.link_trace_digit, least, most)};
}

}  // namespace tenken::qcd
