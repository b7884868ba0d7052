#include "arrays.hpp"

#include <algorithm>
#include <cmath>

#include "closed_form.hpp"
#include "team.hpp"

namespace stream {

Arrays::Arrays(std::int64_t n, tenken::Pages pages, std::int64_t threads, std::int64_t team, int passes)
    : n_(static_cast<std::size_t>(n)),
      threads_(static_cast<int>(threads)),
      team_(static_cast<int>(team)),
      passes_(passes),
      a_(n_, pages, "an array of stream"),
      b_(n_, pages, "an array of stream"),
      c_(n_, pages, "an array of stream"),
      partial_(static_cast<std::size_t>(team)) {
  sweep([&](int, Part part) {
    for (std::size_t i = part.begin; i < part.begin + part.size; ++i) {
      a_[i] = start(i);
      b_[i] = 0;
      c_[i] = 0;
    }
  });
}

template <class Work>
void Arrays::sweep(const Work& work, Stretch stretch) const {
  on_team(threads_, team_, n_, [&](int member, Part whole) {
    const Part part = stretch_of(whole, stretch.k, stretch.of);
    for (int pass = 0; pass < passes_; ++pass) work(member, part);
  });
}

std::size_t Arrays::elements(Stretch stretch) const {
  std::size_t n = 0;
  for (int member = 0; member < team_; ++member)
    n += stretch_of(part_of(n_, member, team_), stretch.k, stretch.of).size;
  return n;
}

void Arrays::copy(const Kernels& kernels, Stretch stretch) {
  sweep([&](int, Part p) { kernels.copy(&c_[p.begin], &a_[p.begin], p.size); }, stretch);
}

void Arrays::scale(const Kernels& kernels, Stretch stretch) {
  sweep([&](int, Part p) { kernels.scale(&b_[p.begin], &c_[p.begin], factor, p.size); }, stretch);
}

void Arrays::add(const Kernels& kernels, Stretch stretch) {
  sweep([&](int, Part p) { kernels.add(&c_[p.begin], &a_[p.begin], &b_[p.begin], p.size); }, stretch);
}

void Arrays::triad(const Kernels& kernels, Stretch stretch) {
  sweep([&](int, Part p) { kernels.triad(&a_[p.begin], &b_[p.begin], &c_[p.begin], factor, p.size); }, stretch);
  if (stretch.k == stretch.of - 1) ++sweeps_;
}

void Arrays::read(const Kernels& kernels, Stretch stretch) {
  sweep([&](int member,
            Part p) { partial_[static_cast<std::size_t>(member)].value = kernels.read(&a_[p.begin], p.size); },
        stretch);
  if (stretch.k == 0) sum_ = 0;
  for (const Partial& partial : partial_) sum_ += partial.value;
}

double Arrays::greatest_error() const {
  const Growth expected = growth(sweeps_);
  sweep([&](int member, Part p) {
    double greatest = 0;
    const auto see = [&](double value, double right) { raise(greatest, std::abs(value - right) / right); };
    for (std::size_t i = p.begin; i < p.begin + p.size; ++i) {
      see(a_[i], expected.a * start(i));
      see(b_[i], expected.b * start(i));
      see(c_[i], expected.c * start(i));
    }
    partial_[static_cast<std::size_t>(member)].value = greatest;
  });
  double greatest = 0;
  for (const Partial& partial : partial_) raise(greatest, partial.value);
  return greatest;
}

double Arrays::rounding() const { return rounding_of(sweeps_); }

double Arrays::read_error() const {
  const double expected = sum_of_a(n_, sweeps_);
  return std::abs(sum_ - expected) / expected;
}

double Arrays::read_rounding() const {
  constexpr int accumulators = 8;
  return rounding() + unit_roundoff * static_cast<double>(n_) / (accumulators * team_);
}

void Proof::add(const Arrays& arrays) {
  raise(error, arrays.greatest_error());
  raise(rounding, arrays.rounding());
  raise(read_error, arrays.read_error());
  raise(read_rounding, arrays.read_rounding());
  huge_bytes += arrays.huge_bytes();
}

}  // namespace stream
