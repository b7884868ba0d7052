#include "card.hpp"

#include <cmath>

#include "work.hpp"

namespace tenken::hpcg {

using device::Memory;

namespace {

constexpr int last_colour = colour_count - 1;
static_assert(kept_colour == last_colour, "the rows of the next grid are relaxed last, and first backwards");

std::size_t bytes_of(std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(double); }

}  // namespace

Card::Level::Level(MPI_Comm comm, device::Device& device, const Grid& grid)
    : places(grid),
      a(device, grid, places),
      halo(comm, device, grid, places),
      rest(device, static_cast<std::size_t>(places.padded()), "intermediate sums of sweeps") {}

Card::Card(MPI_Comm comm, device::Device& device, const Multigrid& grids, const Faults& faults)
    : comm_(comm), device_(device), faults_(faults), parts_(device) {
  MPI_Comm_size(comm, &ranks_);
  for (int level = 0; level < levels; ++level) {
    levels_.push_back(std::make_unique<Level>(comm, device, grids.grid(level)));
    if (level == 0) continue;
    at(level).r = vector(level, "a residual on a grid");
    at(level).x = vector(level, "a correction on a grid");
  }
  for (int level = 0; level + 1 < levels; ++level) link(level);
  for (int level = 0; level < levels; ++level) state_work(level, grids.grid(level));
  for (Vector* each : {&b_, &x_, &r_, &z_, &p_, &q_}) *each = vector(0, "a vector of the solver");
}

auto Card::vector(int level, const char* purpose) -> Vector {
  return {device_, static_cast<std::size_t>(at(level).places.length()), purpose};
}

// The rows of the last colour have even coordinates. They are in the order of their numbers, as those of the next grid.
void Card::link(int level) {
  Level& here = at(level);
  const device::Places& next = at(level + 1).places;
  std::vector<std::int32_t> to;
  for (std::int64_t i = 0; i < next.rows(); ++i) to.push_back(next[i]);
  here.to = {device_, to.size(), "rows of the next grid"};
  device_.write(here.to.data(), to.data(), here.to.bytes());
}

// Bytes are the variant's own, flop those of the rule book (Best::state_work).
void Card::state_work(int level, const Grid& grid) {
  Level& here = at(level);
  const std::int64_t entries = grid.matrix().entries(), rows = grid.rows(), others = grid.columns() - rows;
  const std::int64_t lower = here.a.bytes(false), upper = here.a.bytes(true);
  here.exchange = halo_work(grid);
  here.from_zero = {
      .flop = 4 * entries, .bytes_read = lower + upper + 8 * (4 * rows + others), .bytes_written = 8 * 2 * rows};
  here.sweep = {
      .flop = 4 * entries, .bytes_read = lower + 2 * upper + 8 * (6 * rows + others), .bytes_written = 8 * 3 * rows};
  if (level == 0) {
    spmv_ = {.flop = 2 * entries, .bytes_read = lower + upper + 8 * (2 * rows + others), .bytes_written = 8 * rows};
  }
  if (level + 1 == levels) return;
  const std::int64_t kept = here.places.size(kept_colour);
  here.restriction = {.flop = 2 * (here.a.entries_of(kept_colour) + kept),
                      .bytes_read = here.a.bytes_of(kept_colour) + (8 + 8 + 4) * kept + 8 * (rows + others),
                      .bytes_written = 8 * kept};
  here.from_zero.flop += 2 * entries - here.restriction.flop;  // of residuals that nobody computes
  here.prolongation = transfer_work(kept);
}

void Card::write(const double* rows, Vector& to) {
  const device::Places& places = at(0).places;
  auto values = make_array<double>(places.padded(), "a vector on its way to the card");
  for (std::int64_t row = 0; row < places.rows(); ++row) values.data()[places[row]] = rows[row];
  device_.write(to.data(), values.data(), bytes_of(places.padded()));
}

void Card::read(const Vector& from, double* rows) const {
  const device::Places& places = at(0).places;
  auto values = make_array<double>(places.padded(), "a vector on its way from the card");
  device_.read(values.data(), from.data(), bytes_of(places.padded()));
  for (std::int64_t row = 0; row < places.rows(); ++row) rows[row] = values.data()[places[row]];
}

void Card::set(const Buffer<double>& b, bool preconditioned) {
  write(b.data(), b_);
  preconditioned_ = preconditioned;
  start();
}

void Card::start() {
  device_.clear(x_.data(), x_.bytes());
  device_.clear(p_.data(), p_.bytes());
  device_.copy(r_.data(), b_.data(), b_.bytes());
  bb_ = rr_ = dot(b_, b_);
  iteration_ = 0;
}

double Card::residual() const { return std::sqrt(rr_ / bb_); }

void Card::step(Watch* watch) {
  parts_.begin(watch);
  const std::int64_t rows = at(0).places.rows(), padded = at(0).places.padded();
  const Work axpy = axpy_work(rows, sizeof(double));
  if (preconditioned_) {
    cycle(0, r_.data(), z_.data());
  } else {
    device_.copy(z_.data(), r_.data(), r_.bytes());
  }
  const double rz = dot(r_, z_);
  parts_.on_card(Step::waxpby, 0, axpy, [&] {
    device_.run(padded, device::Direction{iteration_ == 0 ? 0 : rz / rz_, z_.data(), p_.data()});
  });
  rz_ = rz;
  exchange(0, p_.data());
  parts_.on_card(Step::spmv, 0, spmv_, [&] { multiply(p_.data(), q_.data()); });
  const double step = rz / dot(p_, q_);
  const Work update{.flop = 2 * axpy.flop, .bytes_read = 2 * axpy.bytes_read, .bytes_written = 2 * axpy.bytes_written};
  parts_.on_card(Step::waxpby, 0, update, [&] {
    device_.run(padded, device::Update{step, p_.data(), q_.data(), x_.data(), r_.data()});
  });
  rr_ = dot(r_, r_);
  parts_.end();
  ++iteration_;
}

double Card::dot(const Vector& x, const Vector& y) {
  const device::Places& places = at(0).places;
  parts_.on_card(Step::dot, 0, product_work(places.rows(), &x == &y), [&] {
    device_.queue({x.data(), y.data(), places.padded()});
  });
  double sum = device_.sums();
  parts_.on_host(Step::reduction, 0, reduction_work(ranks_),
                 [&] { MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, comm_); });
  return sum;
}

void Card::product(const double* x, double* y) {
  write(x, p_);
  exchange(0, p_.data());
  multiply(p_.data(), q_.data());
  read(q_, y);
}

void Card::precondition(const double* r, double* z) {
  write(r, r_);
  cycle(0, r_.data(), z_.data());
  read(z_, z);
}

void Card::scale_diagonal(const double* by) { at(0).a.scale_diagonal(device_, at(0).places, by); }

void Card::multiply(const double* x, double* y) {
  const device::Matrix a = at(0).a.matrix();
  for (int colour = 0; colour < colour_count; ++colour) each_row(0, colour, device::Multiply{a, 0, x, y});
}

template <class Body>
void Card::each_row(int level, int colour, Body body) {
  body.first = at(level).places.first(colour);
  device_.run(at(level).places.size(colour), body);
}

void Card::exchange(int level, double* x) {
  Level& here = at(level);
  if (here.halo.empty()) return;
  parts_.on_host(Step::halo, level, here.exchange, [&] { here.halo.exchange(x, faults_.stale_halo && level == 0); });
}

void Card::cycle(int level, const double* r, double* x) {
  smooth_from_zero(level, r, x);
  if (level + 1 == levels) return;
  exchange(level, x);
  restrict_residual(level, r, x);
  cycle(level + 1, at(level + 1).r.data(), at(level + 1).x.data());
  prolong(level, x);
  exchange(level, x);
  smooth(level, r, x);
}

void Card::smooth_from_zero(int level, const double* r, double* x) {
  const Level& here = at(level);
  const device::Matrix a = here.a.matrix();
  parts_.on_card(Step::symgs, level, here.from_zero, [&] {
    device_.clear(x + here.places.padded(), bytes_of(here.places.others()));
    for (int colour = 0; colour < colour_count; ++colour) {
      each_row(level, colour, device::ForwardFromZero{a, 0, r, x});
    }
    // x of the last colour is what forward made it.
    for (int colour = last_colour - 1; colour >= 0; --colour) {
      if (!lost(level, colour)) each_row(level, colour, device::BackwardFromZero{a, 0, x});
    }
  });
}

void Card::smooth(int level, const double* r, double* x) {
  Level& here = at(level);
  const device::Matrix a = here.a.matrix();
  double* const rest = here.rest.data();
  parts_.on_card(Step::symgs, level, here.sweep, [&] {
    for (int colour = 0; colour < colour_count; ++colour) {
      each_row(level, colour, device::Forward{a, 0, r, x, rest});
    }
    for (int colour = last_colour - 1; colour >= 0; --colour) {
      if (!lost(level, colour)) each_row(level, colour, device::Backward{a, 0, rest, x});
    }
  });
}

void Card::restrict_residual(int level, const double* r, const double* x) {
  Level& here = at(level);
  Level& next = at(level + 1);
  parts_.on_card(Step::restriction, level, here.restriction, [&] {
    each_row(level, kept_colour, device::Restrict{here.a.matrix(), 0, r, x, here.to.data(), next.r.data()});
  });
  if (faults_.skipped_row) device_.clear(next.r.data() + next.places[next.places.rows() / 2], sizeof(double));
}

void Card::prolong(int level, double* x) {
  const Level& here = at(level);
  parts_.on_card(Step::prolongation, level, here.prolongation, [&] {
    each_row(level, kept_colour, device::Prolong{0, here.to.data(), at(level + 1).x.data(), x});
  });
}

double Card::working_set_bytes() const {
  double bytes = 0;
  for (int level = 0; level < levels; ++level) {
    const Level& here = at(level);
    const std::int64_t vectors = level == 0 ? 8 : 5;
    bytes += static_cast<double>(here.a.bytes(false) + here.a.bytes(true) + 8 * vectors * here.places.rows());
  }
  return bytes;
}

double Card::read_matrices() const {
  for (const auto& level : levels_) level->a.queue_sums(device_);
  return device_.sums();
}

std::int64_t Card::matrix_values() const {
  std::int64_t values = 0;
  for (const auto& level : levels_) values += level->a.slots();
  return values;
}

double Card::bytes(const Index<3>& cells) {
  // Of each row: 26 slots, diagonal, what sweeps keep, its share of two starts of chunks, an eighth of a place in the
  // next grid; of the finest grid six vectors, of the others a residual and a correction. Of what lies around the
  // rows: values in these vectors, and the place and value of each that is sent.
  constexpr double a_row = 12 * (points - 1) + 8 + 8 + 2 * 8.0 / device::chunk + 4.0 / 8;
  double bytes = 0;
  for (int level = 0; level < levels; ++level) {
    double rows = 1, with_others = 1;
    for (const int each : cells) {
      rows *= each >> level;
      with_others *= (each >> level) + 2;
    }
    const double padded = colour_count * device::chunk * std::ceil(rows / colour_count / device::chunk);
    const double vectors = level == 0 ? 6 : 2;
    bytes += a_row * padded + 8 * vectors * padded + (8 * vectors + 12) * (with_others - rows);
  }
  return bytes;
}

}  // namespace tenken::hpcg
