// Flop and compulsory bytes of a step on one rank, per point: each array once a pass. A test counts both by brute
// force.
//
// 9 derivatives of 5 flop each; sums of three, densities and the update of velocity; moduli, products and the update of
// stress. A damped derivative costs 5 flop more and psi both ways, three derivatives for each direction of a layer.
#pragma once

#include <cstdint>

#include "base/work.hpp"
#include "waves.hpp"

namespace tenken::seismic {

struct PerPoint {
  std::int64_t flop, read, written;  // values of 4 bytes
};

constexpr std::int64_t value_bytes = sizeof(float);
constexpr PerPoint slopes_of_stress_work{45, 6, 9}, slopes_of_velocity_work{45, 3, 9};
constexpr PerPoint velocity_work{18, 13, 3}, stress_work{35, 17, 6};  // from derivatives
constexpr PerPoint fused_velocity_work{63, 10, 3}, fused_stress_work{80, 11, 6};
constexpr PerPoint memory_work{118, 18, 18};  // viscoelastic, more than that
constexpr PerPoint damped_work{15, 3, 3};     // each direction
constexpr PerPoint tapered_velocity_work{3, 0, 0}, tapered_stress_work{6, 0, 0};
constexpr PerPoint swept_work{0, 12, 9};  // of a whole pass: each field once

constexpr Work operator*(std::int64_t points, const PerPoint& each) {
  return {.flop = points * each.flop,
          .bytes_read = points * each.read * value_bytes,
          .bytes_written = points * each.written * value_bytes,
          .precision = Work::Precision::single};
}
constexpr Work operator+(const Work& a, const Work& b) {
  return {.flop = a.flop + b.flop,
          .bytes_read = a.bytes_read + b.bytes_read,
          .bytes_written = a.bytes_written + b.bytes_written,
          .messages = a.messages + b.messages,
          .precision = Work::Precision::single};
}

constexpr bool stores_slopes(Variant v) { return v == Variant::classic || v == Variant::classic_fortran; }

// Of the points of some rows, one step: update of velocity or stress from the part that is asked for.
template <class Real>
Work velocity_work_of(const Waves<Real>& waves, const std::vector<Row>& rows, Part part) {
  const Counts c = waves.block().counts(rows, part);
  return c.points * (stores_slopes(waves.plan().variant) ? velocity_work : fused_velocity_work) +
         c.damped * damped_work + c.tapered * tapered_velocity_work;
}
template <class Real>
Work stress_work_of(const Waves<Real>& waves, const std::vector<Row>& rows, Part part) {
  const Counts c = waves.block().counts(rows, part);
  const Work viscous = waves.block().problem().quality.elastic() ? Work{} : c.points * memory_work;
  return c.points * (stores_slopes(waves.plan().variant) ? stress_work : fused_stress_work) + viscous +
         c.damped * damped_work + c.tapered * tapered_stress_work;
}

// Of a phase of a pass.
template <class Real>
Work work_of(const Waves<Real>& waves, Phase phase) {
  std::vector<Row> all = waves.border();
  all.insert(all.end(), waves.inner().begin(), waves.inner().end());
  const auto points = [&] { return waves.block().counts(all, Part::whole).points; };
  const auto passing = [](const Exchange& e) {
    return Work{.bytes_read = e.bytes(), .bytes_written = e.bytes(), .messages = e.messages()};
  };
  switch (phase) {
    case Phase::stressderiv:
      return points() * slopes_of_stress_work;
    case Phase::velderv:
      return points() * slopes_of_velocity_work;
    case Phase::update_vel:
      return velocity_work_of(waves, all, Part::kernel);
    case Phase::absorb_vel:
      return velocity_work_of(waves, all, Part::absorb);
    case Phase::update_stress:
      return stress_work_of(waves, all, Part::kernel);
    case Phase::absorb_stress:
      return stress_work_of(waves, all, Part::absorb);
    case Phase::ring:
    case Phase::sweep: {
      Work sum;
      for (int stage = 0; stage < waves.stages(); ++stage) {
        const std::vector<Row> rows = phase == Phase::ring ? waves.ring(stage) : waves.swept(stage);
        sum = sum +
              (stage % 2 == 0 ? velocity_work_of(waves, rows, Part::whole) : stress_work_of(waves, rows, Part::whole));
      }
      if (phase == Phase::ring) return sum;
      // A pass takes each array once, whatever the number of its stages.
      const Counts c = waves.block().counts(waves.swept(0), Part::whole);
      Work bytes = c.points * swept_work + 2 * c.damped * damped_work;
      if (!waves.block().problem().quality.elastic()) bytes = bytes + c.points * memory_work;
      bytes.flop = sum.flop;
      return bytes;
    }
    // Packing reads and writes as much as is sent, from and into the arrays of this rank.
    case Phase::velocity_wait:
      return passing(waves.velocity_exchange());
    case Phase::stress_wait:
      return passing(waves.stress_exchange());
    default:
      return {};
  }
}

}  // namespace tenken::seismic
