#include "waves.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "base/error.hpp"
#include "classic_rows.hpp"
#include "layers.hpp"
#include "sweep.hpp"

namespace tenken::seismic {

namespace {

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

// Columns beyond an end that the derivatives of a field reach: {lower, upper}. Those that lie half a cell further are
// differenced towards the cell before.
std::array<int, 2> reach_of(int component, std::size_t direction) {
  const bool half = component < sxx ? component == static_cast<int>(direction) : component >= sxy;
  return half ? std::array<int, 2>{2, 1} : std::array<int, 2>{1, 2};
}
// Whether anybody takes the derivative of a field along x or y.
bool differenced(int component, std::size_t direction) {
  if (component < sxx) return true;
  if (direction == 0) return component == sxx || component == sxy || component == sxz;
  return component == syy || component == sxy || component == syz;
}

}  // namespace

int tile_for(const Problem& p, const Plan& plan, double cache_bytes) {
  const int nx = p.cells[0] / plan.grid[0];
  const double column = static_cast<double>((components + 3) * sizeof(float)) * padded(p.cells[2]);
  const double rows = reach * (2 * plan.depth + 1) + 1;
  const double fits = cache_bytes / (2 * plan.threads * column * rows);
  const int tiles = plan.threads == 1 ? 2 : 3 * plan.threads;
  return std::clamp(static_cast<int>(fits), std::min(16, nx), std::max(16, nx / tiles + 1));
}

template <class Real>
Partition<2> Waves<Real>::partition_of(MPI_Comm comm, const Problem& p, const Plan& plan) {
  return Partition<2>({p.cells[0], p.cells[1]}, plan.grid, {p.periodic, p.periodic}, rank_of(comm));
}

template <class Real>
Waves<Real>::Waves(MPI_Comm comm, const Problem& problem, const Plan& plan, const Faults& faults)
    : comm_(comm),
      plan_(plan),
      partition_(partition_of(comm, problem, plan)),
      block_(problem, {partition_.offset()[0], partition_.offset()[1], 0},
             {partition_.extents()[0], partition_.extents()[1], problem.cells[2]},
             plan.variant == Variant::classic || plan.variant == Variant::classic_fortran, plan.threads, faults),
      velocity_(comm, lists(false), {{static_cast<std::size_t>(block_.layout().stride()) * sizeof(Real)}}),
      stress_(comm, lists(true), {{static_cast<std::size_t>(block_.layout().stride()) * sizeof(Real)}}) {
  for (int d = 0; d < 2; ++d) {
    for (const Side side : {Side::lower, Side::upper}) {
      shared_[static_cast<std::size_t>(d)][static_cast<std::size_t>(side)] = partition_.neighbour(d, side) != no_rank;
    }
  }
  block_.store_slopes_past_caches(plan.past_caches);
  border_ = near(halo);
  inner_ = far(halo);
}

template <class Real>
Lists Waves<Real>::lists(bool of_stress) const {
  const Layout& l = block_.layout();
  Lists lists;
  lists.items = components * l.columns();
  std::map<int, Neighbour> by_rank;
  const auto columns = [&](std::size_t d, bool outgoing, Side side, std::vector<std::int32_t>& items) {
    for (int c = of_stress ? sxx : vx; c < (of_stress ? components : sxx); ++c) {
      if (!differenced(c, d)) continue;
      const auto reach = reach_of(c, d);
      const int n = d == 0 ? l.nx : l.ny;
      const bool lower = side == Side::lower;
      // To the lower neighbour goes what lies beyond its upper end.
      const int first = outgoing ? (lower ? 0 : n - reach[0]) : (lower ? -reach[0] : n);
      const int last = outgoing ? (lower ? reach[1] : n) : (lower ? 0 : n + reach[1]);
      for (int across = 0; across < (d == 0 ? l.ny : l.nx); ++across) {
        for (int at = first; at < last; ++at) {
          const std::int64_t column = d == 0 ? l.column(at, across) : l.column(across, at);
          items.push_back(static_cast<std::int32_t>(c * l.columns() + column));
        }
      }
    }
  };
  for (std::size_t d = 0; d < 2; ++d) {
    // A rank that is both neighbours gets at its upper end what left the lower end here, first.
    for (const Side side : {Side::lower, Side::upper}) {
      const Side other = side == Side::lower ? Side::upper : Side::lower;
      const int to = partition_.neighbour(static_cast<int>(d), side),
                from = partition_.neighbour(static_cast<int>(d), other);
      if (to == rank_of(comm_)) {
        columns(d, true, side, lists.wrap_from);
        columns(d, false, other, lists.wrap_to);
        continue;
      }
      if (to != no_rank) columns(d, true, side, by_rank[to].send);
      if (from != no_rank) columns(d, false, other, by_rank[from].receive);
    }
  }
  for (auto& [rank, neighbour] : by_rank) {
    neighbour.rank = rank;
    lists.neighbours.push_back(std::move(neighbour));
  }
  return lists;
}

template <class Real>
std::vector<Row> Waves<Real>::near(int width) const {
  const Layout& l = block_.layout();
  std::vector<Row> rows;
  const int first = shared_[0][0] ? std::min(width, l.nx) : 0;
  const int last = shared_[0][1] ? std::max(l.nx - width, first) : l.nx;
  for (int j = 0; j < l.ny; ++j) {
    if ((shared_[1][0] && j < width) || (shared_[1][1] && j >= l.ny - width)) {
      rows.push_back({j, 0, l.nx});
      continue;
    }
    if (first > 0) rows.push_back({j, 0, first});
    if (last < l.nx) rows.push_back({j, last, l.nx});
  }
  return rows;
}

template <class Real>
std::vector<Row> Waves<Real>::far(int width) const {
  const Layout& l = block_.layout();
  std::vector<Row> rows;
  const int first = shared_[0][0] ? std::min(width, l.nx) : 0;
  const int last = shared_[0][1] ? std::max(l.nx - width, first) : l.nx;
  for (int j = 0; j < l.ny; ++j) {
    if ((shared_[1][0] && j < width) || (shared_[1][1] && j >= l.ny - width)) continue;
    if (first < last) rows.push_back({j, first, last});
  }
  return rows;
}

template <class Real>
template <class Use>
void Waves<Real>::over(const std::vector<Row>& rows, const Use& use) const {
#pragma omp parallel for num_threads(plan_.threads) schedule(static)
  for (std::size_t n = 0; n < rows.size(); ++n) use(rows[n]);
}

template <class Real>
template <class From>
void Waves<Real>::velocity_rows(const std::vector<Row>& rows, std::int64_t step, Watch<Phase>* watch) {
  if (!From::prefetches) {
    InPhase<Phase> in(watch, Phase::stressderiv);
    over(rows, [&](const Row& row) { stress_slopes(block_, row, plan_.variant == Variant::classic_fortran); });
  }
  {
    InPhase<Phase> in(watch, Phase::update_vel);
    const bool fortran = plan_.variant == Variant::classic_fortran;
    over(rows, [&](const Row& row) {
      if (fortran) return velocity_in_fortran(block_, row);
      block_.template velocity<From>(step, row, Part::kernel);
    });
  }
  InPhase<Phase> in(watch, Phase::absorb_vel);
  over(rows, [&](const Row& row) { block_.template velocity<From>(step, row, Part::absorb); });
}

template <class Real>
template <class From>
void Waves<Real>::stress_rows(const std::vector<Row>& rows, std::int64_t step, Watch<Phase>* watch) {
  if (!From::prefetches) {
    InPhase<Phase> in(watch, Phase::velderv);
    over(rows, [&](const Row& row) { velocity_slopes(block_, row, plan_.variant == Variant::classic_fortran); });
  }
  {
    InPhase<Phase> in(watch, Phase::update_stress);
    const bool fortran = plan_.variant == Variant::classic_fortran;
    over(rows, [&](const Row& row) {
      if (fortran) return stress_in_fortran(block_, row);
      block_.template stress<From>(step, row, Part::kernel);
    });
  }
  InPhase<Phase> in(watch, Phase::absorb_stress);
  over(rows, [&](const Row& row) { block_.template stress<From>(step, row, Part::absorb); });
}

template <class Real>
void Waves<Real>::start(bool of_stress, Watch<Phase>* watch) {
  Exchange& exchange = of_stress ? stress_ : velocity_;
  InPhase<Phase> passing(watch, of_stress ? Phase::stress_passing : Phase::velocity_passing);
  InPhase<Phase> in(watch, of_stress ? Phase::stress_pack : Phase::velocity_pack);
  exchange.pack(0, block_.fields());
  exchange.start();
}

template <class Real>
void Waves<Real>::finish(bool of_stress, Watch<Phase>* watch) {
  Exchange& exchange = of_stress ? stress_ : velocity_;
  InPhase<Phase> passing(watch, of_stress ? Phase::stress_passing : Phase::velocity_passing);
  {
    InPhase<Phase> in(watch, of_stress ? Phase::stress_wait : Phase::velocity_wait);
    exchange.wait_incoming();
  }
  {
    InPhase<Phase> in(watch, of_stress ? Phase::stress_unpack : Phase::velocity_unpack);
    if (!plan_.stale_halo || fresh_ > 0) exchange.unpack(0, block_.fields());
    fresh_ -= fresh_ > 0 ? 1 : 0;
  }
  InPhase<Phase> in(watch, of_stress ? Phase::stress_wait : Phase::velocity_wait);
  exchange.wait_outgoing();
}

template <class Real>
template <class From>
void Waves<Real>::plain_step(Watch<Phase>* watch) {
  velocity_rows<From>(border_, step_, watch);
  start(false, watch);
  velocity_rows<From>(inner_, step_, watch);
  finish(false, watch);
  stress_rows<From>(border_, step_, watch);
  start(true, watch);
  stress_rows<From>(inner_, step_, watch);
  finish(true, watch);
  ++step_;
}

template <class Real>
void Waves<Real>::stage(int number, const Row& row) {
  const std::int64_t step = step_ + number / 2;
  if (number % 2 == 0) {
    block_.template velocity<Made>(step, row, Part::whole);
  } else {
    block_.template stress<Made>(step, row, Part::whole);
  }
}

template <class Real>
void Waves<Real>::swept_pass(Watch<Phase>* watch) {
  const Layout& l = block_.layout();
  const int tiles = tiles_of(l.nx, plan_.tile, stages());
  const auto box = [&](int number) {
    const int w = ring_width(number);
    return Box{shared_[0][0] ? w : 0, l.nx - (shared_[0][1] ? w : 0), shared_[1][0] ? w : 0,
               l.ny - (shared_[1][1] ? w : 0)};
  };
  const auto tiles_between = [&](int first, int last) {
    InPhase<Phase> in(watch, Phase::sweep);
    sweep(stages(), plan_.tile, first, last, l.ny, plan_.threads, box, [&](int number, int j, int i0, int i1) {
      stage(number, {j, i0, i1});
    });
  };
  const auto ring_of = [&](int number) {
    InPhase<Phase> in(watch, Phase::ring);
    over(ring(number), [&](const Row& row) { stage(number, row); });
  };
  for (int number = 0; number < stages(); ++number) {
    const bool of_stress = number % 2 == 1;
    ring_of(number);
    start(of_stress, watch);
    // While the last two travel, one half of the tiles each.
    if (number == stages() - 2) tiles_between(0, tiles / 2);
    if (number == stages() - 1) tiles_between(tiles / 2, tiles);
    finish(of_stress, watch);
  }
  step_ += plan_.depth;
}

template <class Real>
void Waves<Real>::pass(Watch<Phase>* watch) {
  InPhase<Phase> whole(watch, Phase::step);
  switch (plan_.variant) {
    case Variant::fused:
      plain_step<Made>(watch);
      return;
    case Variant::classic:
    case Variant::classic_fortran:
      plain_step<Stored>(watch);
      return;
    default:
      swept_pass(watch);
  }
}

template class Waves<float>;
template class Waves<double>;

}  // namespace tenken::seismic
