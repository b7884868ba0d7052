#include "best.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "colours.hpp"
#include "numerics/dots.hpp"
#include "work.hpp"

namespace tenken::hpcg {

namespace {

Lists moved(Lists lists, const GaussSeidel& a) {
  for (Neighbour& one : lists.neighbours) {
    for (std::int32_t& item : one.send) item = a.place(item);
    for (std::int32_t& item : one.receive) item = a.place(item);
  }
  lists.items = a.length();
  return lists;
}

}  // namespace

Best::Level::Level(MPI_Comm comm, const Grid& grid)
    : a(grid.matrix(), eight_colours(grid.block().extents())),
      exchange(comm, moved(grid.lists(), a), {{sizeof(double)}}),
      rest(a.vector("intermediate sums of sweeps")) {}

Best::Best(MPI_Comm comm, const Multigrid& grids, const Faults& faults)
    : comm_(comm), faults_(faults), threads_(omp_get_max_threads()), parts_(static_cast<std::size_t>(threads_)) {
  for (int level = 0; level < levels; ++level) {
    levels_.push_back(std::make_unique<Level>(comm, grids.grid(level)));
    Level& here = at(level);
    if (level > 0) {
      here.r = here.a.vector("a residual on a grid");
      here.x = here.a.vector("a correction on a grid");
    }
  }
  for (int level = 0; level + 1 < levels; ++level) {
    Level& here = at(level);
    const Range kept = here.a.colour(kept_colour);
    here.to =
        Buffer<std::int32_t>(static_cast<std::size_t>(kept.size() * here.a.c()), Pages::huge, "rows of the next grid");
    std::fill(here.to.begin(), here.to.end(), -1);
    const Index<3>& fine = grids.grid(level).block().extents();
    const Index<3>& coarse = grids.grid(level + 1).block().extents();
    for (std::int64_t i = 0; i < tenken::product(coarse); ++i) {
      Index<3> cell = coordinates(i, coarse);
      for (int& each : cell) each *= 2;
      const std::int64_t place = here.a.place(position(cell, fine));
      here.to[static_cast<std::size_t>(place - kept.first * here.a.c())] = at(level + 1).a.place(i);
    }
  }
  for (int level = 0; level < levels; ++level) state_work(level, grids.grid(level));
  const GaussSeidel& a = at(0).a;
  for (Buffer<double>* each : {&b_, &x_, &r_, &z_, &p_, &q_}) *each = a.vector("a vector of the solver");
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  reduction_ = reduction_work(ranks);
}

// Bytes are the variant's own, flop those of the rule book, with those of the sums that are made on the way.
void Best::state_work(int level, const Grid& grid) {
  Level& here = at(level);
  const std::int64_t entries = grid.matrix().entries(), rows = grid.rows();
  const Work sums = product_work(rows, false);
  here.halo = halo_work(grid);
  here.from_zero = here.a.from_zero_work();
  here.sweep = here.a.sweep_work();
  here.from_zero.flop = here.sweep.flop = 4 * entries;
  if (level + 1 < levels) {
    here.restriction = here.a.residual_work(kept_colour);
    // The rule book counts residuals of all rows; those that nobody computes go with the sweep, so that no section
    // seems to be faster than the machine can be.
    here.from_zero.flop += 2 * entries - here.restriction.flop;
    here.prolongation = transfer_work(at(level + 1).a.rows());
  }
  if (level > 0) return;
  here.sweep.flop += sums.flop;
  spmv_ = here.a.multiply_work();
  spmv_.flop = 2 * entries + sums.flop;
  direction_ = axpy_work(rows, sizeof(double));
  const Work each = axpy_work(rows, sizeof(double));
  update_ = {
      .flop = 2 * each.flop + sums.flop, .bytes_read = 2 * each.bytes_read, .bytes_written = 2 * each.bytes_written};
}

template <class Body>
void Best::team(Watch* watch, const Body& body) {
  SpinBarrier barrier(threads_, threads_ > omp_get_num_procs() ? 0 : 300);
#pragma omp parallel num_threads(threads_)
  {
    const int thread = omp_get_thread_num();
    body(Mine{barrier, thread, thread == 0 ? watch : nullptr});
  }
}

void Best::set(const Buffer<double>& b, bool preconditioned) {
  at(0).a.gather(b.data(), b_.data());
  preconditioned_ = preconditioned;
  start();
}

void Best::start() {
  const auto padded = static_cast<std::ptrdiff_t>(at(0).a.padded());
  std::fill(x_.begin(), x_.begin() + padded, 0.0);
  std::fill(p_.begin(), p_.begin() + padded, 0.0);
  std::copy(b_.begin(), b_.begin() + padded, r_.begin());
  bb_ = dot({0, padded}, b_.data(), b_.data());
  MPI_Allreduce(MPI_IN_PLACE, &bb_, 1, MPI_DOUBLE, MPI_SUM, comm_);
  rr_ = bb_;
  iteration_ = 0;
}

double Best::residual() const { return std::sqrt(rr_ / bb_); }

void Best::step(Watch* watch) {
  team(watch, [&](const Mine& mine) { iterate(mine); });
  ++iteration_;
}

void Best::product(const double* x, double* y) {
  const GaussSeidel& a = at(0).a;
  a.gather(x, p_.data());
  team(nullptr, [&](const Mine& mine) {
    exchange(mine, 0, p_.data());
    for (int colour = 0; colour < a.colours(); ++colour) a.multiply(own(0, colour, mine), p_.data(), q_.data());
  });
  a.scatter(q_.data(), y);
}

void Best::precondition(const double* r, double* z) {
  at(0).a.gather(r, r_.data());
  team(nullptr, [&](const Mine& mine) { cycle(mine, 0, r_.data(), z_.data()); });
  at(0).a.scatter(z_.data(), z);
}

void Best::iterate(const Mine& mine) {
  const GaussSeidel& a = at(0).a;
  auto& part = parts_[static_cast<std::size_t>(mine.thread)].of;
  const double rz_before = rz_;
  // In pieces that a cache holds, for bodies that go over them more than once.
  constexpr std::int64_t piece = 2048;
  const auto over_rows = [&](const auto& body) {
    for (int colour = 0; colour < a.colours(); ++colour) {
      const Range chunks = own(0, colour, mine);
      const std::int64_t last = chunks.last * a.c();
      for (std::int64_t row = chunks.first * a.c(); row < last; row += piece)
        body(Range{row, std::min(row + piece, last)});
    }
  };
  if (preconditioned_) {
    part[0] = cycle(mine, 0, r_.data(), z_.data());
  } else {
    part[0] = 0;
    over_rows([&](Range rows) {
      copy(rows, r_.data(), z_.data());
      part[0] += dot(rows, r_.data(), r_.data());
    });
  }
  const double rz = sum(mine, 0);
  {
    const Watched watched(mine.watch, Step::waxpby, 0, direction_);
    const double beta = iteration_ == 0 ? 0 : rz / rz_before;
    over_rows([&](Range rows) { xpay(rows, z_.data(), beta, p_.data()); });
    mine.barrier.wait();
  }
  exchange(mine, 0, p_.data());
  {
    const Watched watched(mine.watch, Step::spmv, 0, spmv_);
    part[1] = 0;
    for (int colour = 0; colour < a.colours(); ++colour) {
      part[1] += a.multiply(own(0, colour, mine), p_.data(), q_.data());
    }
    mine.barrier.wait();
  }
  const double step = rz / sum(mine, 1);
  {
    const Watched watched(mine.watch, Step::waxpby, 0, update_);
    part[2] = 0;
    over_rows([&](Range rows) {
      axpy(rows, step, p_.data(), x_.data());
      axpy(rows, -step, q_.data(), r_.data());
      part[2] += dot(rows, r_.data(), r_.data());
    });
    mine.barrier.wait();
  }
  const double rr = sum(mine, 2);
  if (mine.thread == 0) rz_ = rz, rr_ = rr;
}

double Best::sum(const Mine& mine, int which) {
  mine.barrier.wait();
  if (mine.thread == 0) {
    const Watched watched(mine.watch, Step::reduction, 0, reduction_);
    double all = 0;
    for (const Part& part : parts_) all += part.of[which];
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, comm_);
    total_ = all;
  }
  mine.barrier.wait();
  return total_;
}

void Best::exchange(const Mine& mine, int level, double* x) {
  Exchange& halo = at(level).exchange;
  if (halo.messages() == 0) return;
  mine.barrier.wait();
  if (mine.thread == 0) {
    const Watched watched(mine.watch, Step::halo, level, at(level).halo);
    halo.pack(0, x);
    halo.start();
    halo.wait_incoming();
    if (!(faults_.stale_halo && level == 0)) halo.unpack(0, x);
    halo.wait_outgoing();
  }
  mine.barrier.wait();
}

double Best::cycle(const Mine& mine, int level, const double* r, double* x) {
  smooth_from_zero(mine, level, r, x);
  if (level + 1 == levels) return 0;
  exchange(mine, level, x);
  restrict_residual(mine, level, r, x);
  Level& next = at(level + 1);
  cycle(mine, level + 1, next.r.data(), next.x.data());
  prolong(mine, level, x);
  exchange(mine, level, x);
  return smooth(mine, level, r, x);
}

void Best::smooth_from_zero(const Mine& mine, int level, const double* r, double* x) {
  const Level& here = at(level);
  const GaussSeidel& a = here.a;
  const Watched watched(mine.watch, Step::symgs, level, here.from_zero);
  if (a.length() > a.padded()) {
    if (mine.thread == 0) std::fill(x + a.padded(), x + a.length(), 0.0);
    mine.barrier.wait();
  }
  for (int colour = 0; colour < a.colours(); ++colour) {
    a.forward_from_zero(own(level, colour, mine), r, x);
    mine.barrier.wait();
  }
  // The last colour's x is what forward made it.
  for (int colour = a.colours() - 2; colour >= 0; --colour) {
    if (!lost(level, colour)) a.backward_from_zero(own(level, colour, mine), x);
    mine.barrier.wait();
  }
}

double Best::smooth(const Mine& mine, int level, const double* r, double* x) {
  Level& here = at(level);
  const GaussSeidel& a = here.a;
  const Watched watched(mine.watch, Step::symgs, level, here.sweep);
  for (int colour = 0; colour < a.colours(); ++colour) {
    a.forward(own(level, colour, mine), r, x, here.rest.data());
    mine.barrier.wait();
  }
  const Range last = own(level, a.colours() - 1, mine);
  double part = dot({last.first * a.c(), last.last * a.c()}, r, x);
  for (int colour = a.colours() - 2; colour >= 0; --colour) {
    if (!lost(level, colour)) part += a.backward(own(level, colour, mine), here.rest.data(), r, x);
    mine.barrier.wait();
  }
  return part;
}

void Best::restrict_residual(const Mine& mine, int level, const double* r, const double* x) {
  Level& here = at(level);
  Level& next = at(level + 1);
  const Watched watched(mine.watch, Step::restriction, level, here.restriction);
  const std::int64_t from = here.a.colour(kept_colour).first * here.a.c();
  here.a.residual(own(level, kept_colour, mine), r, x, from, here.to.data(), next.r.data());
  mine.barrier.wait();
  if (faults_.skipped_row) {
    if (mine.thread == 0) next.r[static_cast<std::size_t>(next.a.place(next.a.rows() / 2))] = 0;
    mine.barrier.wait();
  }
}

void Best::prolong(const Mine& mine, int level, double* x) {
  const Level& here = at(level);
  const double* const coarse = at(level + 1).x.data();
  const Watched watched(mine.watch, Step::prolongation, level, here.prolongation);
  const std::int64_t from = here.a.colour(kept_colour).first * here.a.c();
  const Range chunks = own(level, kept_colour, mine);
  for (std::int64_t place = chunks.first * here.a.c(); place < chunks.last * here.a.c(); ++place) {
    const std::int32_t to = here.to.data()[place - from];
    if (to >= 0) x[place] += coarse[to];
  }
  mine.barrier.wait();
}

double Best::working_set_bytes() const {
  double bytes = 0;
  for (int level = 0; level < levels; ++level) {
    const GaussSeidel& a = at(level).a;
    const std::int64_t vectors = level == 0 ? 8 : 5;
    bytes += static_cast<double>(a.lower().bytes() + a.upper().bytes() + 8 * vectors * a.rows());
  }
  return bytes;
}

double Best::read_matrices() const {
  double total = 0;
#pragma omp parallel reduction(+ : total)
  for (const auto& level : levels_) {
    for (const Runs* triangle : {&level->a.lower(), &level->a.upper()}) {
      const auto values = static_cast<std::int64_t>(triangle->value.size());
      total += tenken::sum(share_of(values, omp_get_thread_num(), omp_get_num_threads()), triangle->value.data());
    }
  }
  return total;
}

std::int64_t Best::matrix_values() const {
  std::int64_t values = 0;
  for (const auto& level : levels_) {
    values += static_cast<std::int64_t>(level->a.lower().value.size() + level->a.upper().value.size());
  }
  return values;
}

double Best::bytes(const Index<3>& cells) {
  // Of each grid: values, a column for each slot of them, diagonals, places, what sweeps keep; of all but the finest a
  // residual and a correction; of the finest the solver's vectors and the right side. Those of proofs come when the
  // assembled matrices are gone.
  constexpr double slot = 4.0 / native_width<double>;
  constexpr double a_cell = 8 * 4 + 4 + 4.0 / 8;
  const auto rows = static_cast<double>(tenken::product(cells));
  return all_grids * (8 + slot) * (estimated_entries(cells) - rows) +
         rows * (all_grids * a_cell + (all_grids - 1) * 16 + 7 * 8);
}

double Best::runs() const {
  const Runs &lower = at(0).a.lower(), &upper = at(0).a.upper();
  return 1 - static_cast<double>(lower.lists + upper.lists) / static_cast<double>(lower.slots() + upper.slots());
}

}  // namespace tenken::hpcg
