// Vector operations on fields of a device, by the kernels of vectors.hpp. All but the sums return at once.
#pragma once

#include "device/fields.hpp"

namespace tenken::lqcd::device {

template <class Real>
std::int64_t packs_of(const DeviceField<Real>& field) {
  return static_cast<std::int64_t>(field.size());
}

// y += a x
template <class Real>
void axpy(Device& device, double a, const DeviceField<Real>& x, DeviceField<Real>& y) {
  device.run(packs_of(y), Axpy<Real>{static_cast<Real>(a), x.data(), y.data()});
}

// y = x + a y
template <class Real>
void xpay(Device& device, const DeviceField<Real>& x, double a, DeviceField<Real>& y) {
  device.run(packs_of(y), Xpay<Real>{x.data(), static_cast<Real>(a), y.data()});
}

template <class Real>
void copy(Device& device, const DeviceField<Real>& from, DeviceField<Real>& to) {
  device.copy(to.data(), from.data(), to.bytes());
}

template <class Real>
void clear(Device& device, DeviceField<Real>& field) {
  device.clear(field.data(), field.bytes());
}

// to = from, or to += from, in another precision
template <class From, class To>
void convert(Device& device, const Sites& sites, const DeviceField<From>& from, DeviceField<To>& to, bool add) {
  device.run(sites.count(), Convert<From, To>{from.data(), to.data(), sites.count(), add});
}

// Queue the scalar product of x and y, or |x|^2 and |u|^2; device.sums() returns them, of the local part.
template <class Real>
void queue_dot(Device& device, const DeviceField<Real>& x, const DeviceField<Real>& y) {
  device.sum(Products<Real>{x.data(), y.data(), nullptr, nullptr, packs_of(x)});
}
template <class Real>
void queue_norms(Device& device, const DeviceField<Real>& x, const DeviceField<Real>& u) {
  device.sum(Products<Real>{x.data(), x.data(), u.data(), u.data(), packs_of(x)});
}

template <class Real>
double norm2(Device& device, const DeviceField<Real>& x) {
  queue_dot(device, x, x);
  return device.sums().first;
}

}  // namespace tenken::lqcd::device
