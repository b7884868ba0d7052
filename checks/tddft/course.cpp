#include "course.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/checkpoint.hpp"

namespace tenken::tddft {

void Course::save(std::ostream& out) const {
  const std::int64_t lengths[2]{static_cast<std::int64_t>(a.size()), static_cast<std::int64_t>(observed.size())};
  const double numbers[5]{energy_before, ground_energy, ground_residual, ground_iterations, gap};
  put(out, lengths, 2);
  put(out, numbers, 5);
  for (const auto* values : {&a, &current, &observed}) put(out, values->data(), values->size());
}

bool Course::restore(std::istream& in) {
  std::int64_t lengths[2]{};
  double numbers[5]{};
  constexpr std::int64_t most = 1 << 30;
  if (!get(in, lengths, 2) || lengths[0] < 1 || lengths[0] > most || lengths[1] < 0 || lengths[1] > most ||
      !get(in, numbers, 5)) {
    return false;
  }
  energy_before = numbers[0];
  ground_energy = numbers[1];
  ground_residual = numbers[2];
  ground_iterations = numbers[3];
  gap = numbers[4];
  a.resize(static_cast<std::size_t>(lengths[0]));
  current.resize(a.size());
  observed.resize(static_cast<std::size_t>(lengths[1]));
  for (auto* values : {&a, &current, &observed}) {
    if (!get(in, values->data(), values->size())) return false;
  }
  return true;
}

FieldWork work_of(const Course& course, double volume) {
  FieldWork sum;
  sum.moved = volume * 0.5 * std::abs(course.current.front() * course.a.front());
  for (std::size_t i = 1; i < course.a.size(); ++i) {
    const double part = volume * 0.5 * (course.current[i] + course.current[i - 1]) * (course.a[i] - course.a[i - 1]);
    sum.done += part;
    sum.moved += std::abs(part);
  }
  return sum;
}

double work_error(const Course& course, double volume, double energy) {
  const FieldWork field = work_of(course, volume);
  return std::abs(energy - course.energy_before - field.done) / (field.moved + least_work);
}

double greatest_a(const Course& course) {
  double most = 0;
  for (const double a : course.a) most = std::max(most, std::abs(a));
  return most;
}

void write_currents(Check& check, const Course& course, double dt) {
  Table table;
  table.name = "current";
  table.unit = "atomic units";
  table.columns = {"t", "A", "J"};
  for (std::size_t i = 0; i < course.a.size(); ++i) {
    table.rows.push_back(std::to_string(i));
    table.values.insert(table.values.end(), {static_cast<double>(i) * dt, course.a[i], course.current[i]});
  }
  check.table(table);
}

}  // namespace tenken::tddft
