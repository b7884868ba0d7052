#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "flush.hpp"
#include "layers.hpp"
#include "simd/vec.hpp"
#include "sweep.hpp"
#include "tables.hpp"
#include "this_check.hpp"
#include "timer.hpp"
#include "whole.hpp"

namespace tenken::seismic {

namespace validity = this_check::validity;

namespace {

Index<3> cells_of(const Parameters& parameters, std::string_view name) {
  const auto given = parameters.integers(name);
  return {static_cast<int>(given[0]), static_cast<int>(given[1]), static_cast<int>(given[2])};
}

std::string listed(const Index<3>& cell) {
  return std::to_string(cell[0]) + "," + std::to_string(cell[1]) + "," + std::to_string(cell[2]);
}

Variant variant_of(std::string_view name) {
  if (name == "classic") return Variant::classic;
  if (name == "classic_fortran") return Variant::classic_fortran;
  if (name == "one_sweep") return Variant::one_sweep;
  return name == "temporal" ? Variant::temporal : Variant::fused;
}

Index<2> grid_of(const Check& check, const Index<3>& cells) {
  const auto given = check.parameters().integers("grid");
  const Index<2> grid{static_cast<int>(given[0]), static_cast<int>(given[1])};
  if (grid[0] == 0 && grid[1] == 0) return balanced_grid<2>({cells[0], cells[1]}, check.ranks());
  const std::string asked = "--grid " + std::to_string(grid[0]) + "," + std::to_string(grid[1]);
  if (static_cast<std::int64_t>(grid[0]) * grid[1] != check.ranks()) {
    refuse(asked + " needs " + std::to_string(static_cast<std::int64_t>(grid[0]) * grid[1]) + " ranks, but " +
           std::to_string(check.ranks()) + " were started; change one of the two");
  }
  return grid;
}

// Every cell of a source or receiver: inside of the box, outside of the layers.
void require_inside(const Problem& p, std::string_view name, const Index<3>& cell, int below, int above = 0) {
  for (std::size_t d = 0; d < 3; ++d) {
    const auto layers = layers_at(p, d);
    const int low = layers[0] + below, high = p.cells[d] - layers[1] - above;
    if (cell[d] >= low && cell[d] < high) continue;
    const std::string axis(1, "xyz"[d]);
    refuse("--" + std::string(name) + " " + listed(cell) + " lies outside of the box or in an absorbing layer: " +
           axis + " must be from " + std::to_string(low) + " to " + std::to_string(high - 1));
  }
}

void require_medium(const Problem& p) {
  if (p.material.vs == 0) refuse("--vs 0 is a fluid, and fluid cells are not supported; choose a --vs above 0");
  if (p.material.vp <= p.material.vs * 1.1547) {
    refuse("--vp " + std::to_string(p.material.vp) + " is too slow beside --vs " + std::to_string(p.material.vs) +
           ": the ratio must be above 1.155, where the bulk modulus is positive");
  }
  for (const double q : {p.quality.p, p.quality.s}) {
    if (q == 0 || q >= 1) continue;
    refuse("a quality factor of " + std::to_string(q) +
           " is below 1; choose --quality_p and --quality_s of 1 or more, or 0");
  }
  if ((p.quality.p == 0) != (p.quality.s == 0)) {
    refuse("--quality_p and --quality_s go together: give both, or leave out both for an elastic medium");
  }
}

void require_step(const Problem& p) {
  const double longest = longest_step(p);
  if (p.dt <= longest) return;
  refuse("--step " + std::to_string(p.dt) + " s is unstable: the longest stable step of this box is " +
         std::to_string(longest) + " s");
}

void require_blocks(const Problem& p, const Plan& plan) {
  for (std::size_t d = 0; d < 3; ++d) {
    const int ranks = d < 2 ? plan.grid[d] : 1;
    if (p.cells[d] < ranks) {
      refuse("--cells " + listed(p.cells) + " has fewer columns than the " + std::to_string(ranks) +
             " ranks along it; start fewer ranks or take more cells");
    }
    const int block = p.cells[d] / ranks, ends = layers_at(p, d)[0] + layers_at(p, d)[1];
    if (2 * (ranks == 1 ? (ends + 1) / 2 : std::max(layers_at(p, d)[0], layers_at(p, d)[1])) > block) {
      refuse("--layer " + std::to_string(p.layer) + " is more than half of a block of " + std::to_string(block) +
             " cells; choose a thinner layer, more cells or fewer ranks");
    }
    const bool swept = plan.variant == Variant::temporal || plan.variant == Variant::one_sweep;
    const int least = d < 2 && ranks > 1 ? (swept ? 4 * halo * plan.depth + 1 : 2 * halo) : 1;
    if (block < least) {
      refuse("a block of " + std::to_string(block) + " cells is too small for --variant and its halo: at least " +
             std::to_string(least) + " are needed; take more cells or fewer ranks");
    }
  }
}

Subject subject_of(const Check& check, const Request& request) {
  return {.comm = check.comm(),
          .plan = request.plan,
          .faults = request.faults,
          .everywhere = request.problem.everywhere,
          .quality = request.problem.quality,
          .absorb = request.problem.absorb,
          .surface = request.problem.surface};
}

std::vector<Injection> source_of(const Problem& p, std::string_view kind, const Index<3>& place) {
  constexpr double size = source_strength;
  if (kind == "explosion") return moment(p, {size, size, size, 0, 0, 0}, place);
  if (kind == "strike_slip") return moment(p, {0, 0, 0, size, 0, 0}, place);
  if (kind == "dip_slip") return moment(p, {0, 0, 0, 0, size, 0}, place);
  return force(p, kind.back() - 'x', place, 1);
}

Shape shape_of(std::string_view name) {
  if (name == "herrmann") return Shape::herrmann;
  if (name == "cosine") return Shape::cosine;
  return name == "triangle" ? Shape::triangle : Shape::kuepper;
}

}  // namespace

Request request_of(const Check& check) {
  const Parameters& parameters = check.parameters();
  Request request;
  Problem& p = request.problem;
  p.cells = cells_of(parameters, "cells");
  p.h = parameters.real("spacing");
  p.material = {parameters.real("density"), parameters.real("vp"), parameters.real("vs")};
  p.contrast = parameters.real("contrast");
  p.seed = static_cast<std::uint64_t>(parameters.integer("seed"));
  p.quality = {parameters.real("quality_p"), parameters.real("quality_s")};
  p.surface = parameters.flag("surface");
  const std::string& absorb = parameters.text("absorb");
  p.absorb = absorb == "pml" ? Absorb::pml : absorb == "sponge" ? Absorb::sponge : Absorb::none;
  p.layer = static_cast<int>(parameters.integer("layer"));
  const std::string& sides = parameters.text("sides");
  p.sides = sides == "all" ? Sides::all : sides == "x" ? Sides::x : Sides::lower_x;
  p.everywhere = check.fault("pml_everywhere");
  require_medium(p);
  require_whole_repetitions(parameters);
  p.pulse.shape = shape_of(parameters.text("pulse"));
  p.pulse.duration = parameters.real("duration");
  if (p.pulse.duration == 0) p.pulse.duration = 20 * p.h / p.slowest();
  p.dt = parameters.real("step");
  if (p.dt == 0) p.dt = 0.9 * longest_step(p);
  require_step(p);

  Plan& plan = request.plan;
  plan.variant = variant_of(check.variant());
  plan.threads = check.threads();
  plan.grid = grid_of(check, p.cells);
  plan.depth = plan.variant == Variant::temporal ? static_cast<int>(parameters.integer("depth")) : 1;
  if (plan.depth == 3) refuse("--depth 3 is not possible: the variant temporal takes 2 or 4 steps a pass");
  if (plan.variant == Variant::classic_fortran && !p.quality.elastic()) {
    refuse(
        "the variant classic_fortran has no viscoelastic medium; choose --variant classic, or leave out the qualities");
  }
  require_blocks(p, plan);
  plan.tile = static_cast<int>(parameters.integer("tile"));
  if (plan.tile == 0) plan.tile = tile_for(p, plan, check.cache_share().last_level);
  if (check.fault("stale_halo")) {
    if (check.ranks() == 1)
      refuse("--fault stale_halo needs at least 2 ranks, because a single one has no halo; start it with mpirun -n 2");
    plan.stale_halo = check.rank() == check.ranks() - 1;
  }
  request.faults = {.wrong_coefficient = check.fault("wrong_coefficient"),
                    .swapped_shear = check.fault("swapped_shear")};

  Index<3> place = cells_of(parameters, "place"), receiver = cells_of(parameters, "receiver");
  const Index<3> nowhere{};
  if (place == nowhere) place = {p.cells[0] / 2, p.cells[1] / 2, p.cells[2] / 2};
  const int top = layers_at(p, 2)[0];
  if (receiver == nowhere) receiver = {(place[0] + p.cells[0] - layers_at(p, 0)[1]) / 2, place[1], top};
  // A moment's stress lies also on cells beside it, and has no image above a free surface.
  const bool force = parameters.text("source").starts_with("force");
  require_inside(p, "place", place, force ? 0 : 2, 1);
  require_inside(p, "receiver", receiver, 0);
  p.sources = source_of(p, parameters.text("source"), place);
  for (const Component c : {vx, vy, vz}) p.receivers.push_back({c, receiver});

  Index<3> largest = p.cells;
  for (std::size_t d = 0; d < 2; ++d) largest[d] = (p.cells[d] + plan.grid[d] - 1) / plan.grid[d];
  const double bytes = Block<float>::bytes(p, largest, stores_slopes(plan.variant));
  if (const double cache = check.cache_share().last_level; cache > 0) {
    plan.past_caches = has_stores_past_caches && plan.variant == Variant::classic && bytes > cache;
  }
  check.require_memory(bytes, "a box of " + listed(p.cells) + " cells");
  return request;
}

void prove(Check& check, const Request& request) {
  flush_small_values(check.threads());
  const Subject subject = subject_of(check, request);
  check.prove(validity::twin, twin_error(subject));
  check.prove(validity::variant, variant_error(subject));
  check.prove(validity::trace, full_space(subject, 10, 2, SourceKind::both).error);
}

void time_steps(Check& check, const Request& request) {
  Waves<float> waves(check.comm(), request.problem, request.plan, request.faults);
  Timer timer(waves);
  if (check.parameters().integer("steps") > 0) {
    whole_run(check, request, waves, timer);
  } else {
    check.repeat([&](int) {
      for (int step = 0; step < steps_a_repetition; step += waves.depth()) waves.pass(&timer);
    });
  }
  const Block<float>& block = waves.block();
  const Layout& l = block.layout();
  double wrong = 0;
#pragma omp parallel for num_threads(check.threads()) reduction(+ : wrong)
  for (int j = 0; j < l.ny; ++j) {
    for (int c = 0; c < components; ++c) {
      for (int i = 0; i < l.nx; ++i) {
        const float* const column = block.field(static_cast<Component>(c)) + l.at(i, j);
        for (int k = 0; k < l.nz; ++k) wrong += std::isfinite(column[k]) ? 0 : 1;
      }
    }
  }
  check.prove(validity::finite, check.sum_over_ranks(wrong));
  const double points = static_cast<double>(l.cells());
  check.value("points", "1", check.sum_over_ranks(points));
  const double slopes = stores_slopes(request.plan.variant) ? 9 : 0;
  const double memory = request.problem.quality.elastic() ? 0 : mechanisms * stresses;
  const double values = static_cast<double>(l.size()) * (int{components} + 3 + slopes + memory);
  check.value("working_set_bytes", "B", check.sum_over_ranks(values * sizeof(float)));
  std::vector<Row> all = waves.border();
  all.insert(all.end(), waves.inner().begin(), waves.inner().end());
  const Counts absorbing = block.counts(all, Part::absorb);
  check.value("absorbing_points", "1", check.sum_over_ranks(static_cast<double>(absorbing.points)));
  check.value("time_step", "s", request.problem.dt);
  if (request.plan.variant == Variant::classic) {
    check.chosen("stores_past_caches", "flag", request.plan.past_caches ? 1 : 0);
  }
  write_ranks(check, request.plan.grid);
}

}  // namespace tenken::seismic
