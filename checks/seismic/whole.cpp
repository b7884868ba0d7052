#include "whole.hpp"

#include <cstdio>
#include <istream>
#include <optional>
#include <ostream>
#include <string>

#include "analytic.hpp"
#include "base/checkpoint.hpp"
#include "base/error.hpp"
#include "layers.hpp"
#include "parallel/checkpoints.hpp"

namespace tenken::seismic {

namespace {

std::uint64_t fingerprint_of(const Request& request) {
  const Problem& p = request.problem;
  std::uint64_t state = 0;
  const auto add = [&state](const auto& value) { state = fingerprint(state, value); };
  add(p.cells), add(p.h), add(p.dt), add(p.contrast), add(p.seed), add(p.layer), add(request.plan.grid);
  add(p.material.density), add(p.material.vp), add(p.material.vs), add(p.quality.p), add(p.quality.s);
  add(p.surface), add(p.absorb), add(p.pulse.shape), add(p.pulse.duration);
  for (const Injection& s : p.sources) add(s.component), add(s.cell), add(s.amplitude);
  for (const Receiver& r : p.receivers) add(r.component), add(r.cell);
  return state;
}

Checkpoints checkpoints_of(const Check& check, const Request& request) {
  const std::string& written = check.parameters().text("checkpoint");
  const std::string& read = check.parameters().text("restart");
  if (!written.empty() && !read.empty() && written != read) {
    refuse(
        "--checkpoint and --restart name different files; --restart alone continues to write the files that it reads");
  }
  return {written.empty() ? read : written,
          {.input = fingerprint_of(request), .stage = "steps", .rank = check.rank(), .ranks = check.ranks()},
          check.comm()};
}

void save(Waves<float>& waves, std::ostream& out) {
  for (const auto& [values, n] : waves.block().state()) put(out, values, n);
  for (const auto& trace : waves.block().traces())
    put(out, trace.values.data(), static_cast<std::size_t>(waves.step()));
}

bool restore(Waves<float>& waves, std::int64_t step, std::istream& in) {
  bool complete = true;
  for (const auto& [values, n] : waves.block().state()) complete = complete && get(in, values, n);
  for (auto& trace : waves.block().traces()) {
    complete = complete && get(in, trace.values.data(), static_cast<std::size_t>(step));
  }
  return complete;
}

// Exact velocity at a receiver at time t, km/s, where the medium and its source have a closed form.
std::optional<double> exact_at(const Check& check, const Problem& p, const Receiver& receiver, double t) {
  const std::string& source = check.parameters().text("source");
  const bool explosive = source == "explosion", forced = source.starts_with("force");
  if (p.surface || p.contrast != 0 || !p.quality.elastic() || !(explosive || forced)) return std::nullopt;
  const int component = receiver.component - vx, axis = source.back() - 'x';
  const Injection& first = p.sources.front();
  Point at{};
  for (std::size_t d = 0; d < 3; ++d) {
    at[d] = p.h * (receiver.cell[d] - first.cell[d] + (static_cast<int>(d) == component ? 0.5 : 0));
  }
  if (explosive) return explosion(p.material, p.pulse, source_strength, at, component, t);
  at[static_cast<std::size_t>(axis)] -= p.h / 2;
  return point_force(p.material, p.pulse, 1, axis, at, component, t);
}

void write_seismogram(Check& check, const Problem& p, const Waves<float>& waves) {
  const auto steps = static_cast<std::size_t>(waves.step());
  const std::size_t count = p.receivers.size();
  std::vector<double> all(steps * count, 0.0);  // each receiver is on one rank
  for (const auto& trace : waves.block().traces()) {
    for (std::size_t n = 0; n < steps; ++n) all[n * count + trace.receiver] = trace.values[n];
  }
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, check.comm());
  constexpr double metres = 1000;  // a kilometre
  const bool exact = exact_at(check, p, p.receivers.front(), 0).has_value();
  Table table;
  table.name = "seismogram";
  table.unit = "m/s";
  table.columns = {"vx", "vy", "vz"};
  if (exact) table.columns.insert(table.columns.end(), {"exact_vx", "exact_vy", "exact_vz"});
  for (std::size_t n = 0; n < steps; ++n) {
    const double t = (static_cast<double>(n) + 0.5) * p.dt;
    char label[32];
    std::snprintf(label, sizeof label, "%.6g s", t);
    table.rows.emplace_back(label);
    for (std::size_t r = 0; r < count; ++r) table.values.emplace_back(metres * all[n * count + r]);
    for (std::size_t r = 0; exact && r < count; ++r) {
      table.values.emplace_back(metres * *exact_at(check, p, p.receivers[r], t));
    }
  }
  check.table(table);
}

}  // namespace

void require_whole_repetitions(const Parameters& parameters) {
  for (const char* name : {"steps", "checkpoint_steps"}) {
    if (parameters.integer(name) % steps_a_repetition == 0) continue;
    refuse("--" + std::string(name) + " " + std::to_string(parameters.integer(name)) + " is not a multiple of " +
           std::to_string(steps_a_repetition) + ", the steps of a repetition");
  }
  if (parameters.integer("steps") > 0) return;
  for (const char* name : {"checkpoint", "restart"}) {
    if (!parameters.text(name).empty()) refuse("--" + std::string(name) + " needs --steps, the last step of the run");
  }
}

void whole_run(Check& check, const Request& request, Waves<float>& waves, Timer& timer) {
  const std::int64_t steps = check.parameters().integer("steps"),
                     every = check.parameters().integer("checkpoint_steps");
  const std::string& read = check.parameters().text("restart");
  waves.block().record(steps);
  Checkpoints places = checkpoints_of(check, request);
  if (!read.empty()) {
    const std::int64_t done = places.load([&](std::istream& in, std::int64_t step) {
      if (step > steps) {
        refuse("the checkpoint '" + read + "' is of step " + std::to_string(step) + ", but the run ends at step " +
               std::to_string(steps) + "; use more --steps");
      }
      return restore(waves, step, in);
    });
    if (done < 0) refuse("there is no checkpoint '" + read + "' that all ranks have; name the PATH of --checkpoint");
    waves.go_on_from(done);
  }
  {
    Timing timing{check, static_cast<int>((steps - waves.step()) / steps_a_repetition)};
    while (waves.step() < steps) {
      {
        const auto repetition = timing.next();
        for (int step = 0; step < steps_a_repetition; step += waves.depth()) waves.pass(&timer);
      }
      if (waves.step() % every == 0) places.save(waves.step(), [&](std::ostream& out) { save(waves, out); });
    }
  }
  write_seismogram(check, request.problem, waves);
}

}  // namespace tenken::seismic
