#include "whole.hpp"

#include <istream>
#include <ostream>
#include <string>

#include "base/checkpoint.hpp"
#include "base/error.hpp"
#include "layers.hpp"
#include "parallel/checkpoints.hpp"
#include "tables.hpp"

namespace tenken::seismic {

namespace {

std::uint64_t fingerprint_of(const Request& request) {
  const Problem& p = request.problem;
  std::uint64_t state = 0;
  const auto add = [&state](const auto& value) { state = fingerprint(state, value); };
  add(p.cells), add(p.h), add(p.dt), add(p.contrast), add(p.seed), add(p.layer), add(request.plan.grid);
  add(p.material.density), add(p.material.vp), add(p.material.vs), add(p.quality.p), add(p.quality.s);
  add(p.surface), add(p.absorb), add(p.sides), add(p.pulse.shape), add(p.pulse.duration);
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
  write_slice(check, request.problem, waves);
}

}  // namespace tenken::seismic
