#include "step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace les {

using tenken::corners;
using tenken::load;
using tenken::make_array;
using tenken::Range;
using tenken::store;
using tenken::Vec;
using tenken::Work;

namespace {

template <class Real>
constexpr Work::Precision precision = sizeof(Real) == 4 ? Work::Precision::single : Work::Precision::double_;

template <class Real>
Work vector_work(std::int64_t n, int flop, int read, int written) {
  const std::int64_t bytes = static_cast<std::int64_t>(sizeof(Real)) * n;
  return {.flop = flop * n, .bytes_read = read * bytes, .bytes_written = written * bytes, .precision = precision<Real>};
}

}  // namespace

template <class Real>
Three<Real> Stepper<Real>::field(std::array<Field, 3>& memory, std::string_view purpose) const {
  Three<Real> all;
  for (std::size_t c = 0; c < 3; ++c) {
    memory[c] = make_array<Real>(padded_nodes<Real>(mesh_), purpose);
    all[c] = memory[c].data();
  }
  return all;
}

template <class Real>
Stepper<Real>::Stepper(MPI_Comm comm, const Box& box, const Mesh& mesh,
                       const std::vector<std::vector<std::int32_t>>& groups, const Flow& flow, Variant variant,
                       const Rules& rules, double dt)
    : box_(box),
      mesh_(mesh),
      flow_(flow),
      rules_(rules),
      dt_(dt),
      elements_(make_elements<Real>(box, mesh, groups)),
      sums_(comm, mesh.shared),
      reduce_(comm),
      fixed_(mesh.node.size()),
      mass_(mesh.node.size()),
      part_mass_(make_array<Real>(padded_nodes<Real>(mesh), "mass of nodes")),
      inverse_mass_(make_array<Real>(padded_nodes<Real>(mesh), "inverse mass of nodes")),
      modes_(comm, box, mesh, elements_.slot),
      u_(field(u_memory_, "velocity")),
      before_(field(before_memory_, "velocity of the step before")),
      with_(field(with_memory_, "velocity that carries")),
      right_(field(right_memory_, "right sides of the momentum")),
      viscosity_(make_array<Real>(elements_.slots(), "viscosity of elements")),
      flux_(make_array<Real>(elements_.slots() * corners, "fluxes of elements")),
      diagonal_(make_array<Real>(padded_nodes<Real>(mesh), "diagonal of the momentum")),
      change_(make_array<Real>(padded_nodes<Real>(mesh), "change of the velocity")),
      nodes_solver_(mesh.nodes(), mesh.own),
      elements_solver_(elements_.slots(), elements_.slots()) {
  // Masses in double precision: sums over ranks of the shares of their elements.
  NodeSums<double> add(comm, mesh.shared);
  for (std::size_t e = 0; e < mesh.element.size(); ++e) {
    const Integrals of = integrals_of(box, mesh.element[e]);
    for (int a = 0; a < corners; ++a) {
      mass_[static_cast<std::size_t>(mesh.at(static_cast<std::int64_t>(e), a))] +=
          of.share[static_cast<std::size_t>(a)];
    }
  }
  for (std::size_t n = 0; n < mass_.size(); ++n) {
    part_mass_[n] = static_cast<Real>(mass_[n]);
    fixed_[n] = box.on_wall(tenken::coordinates<3>(mesh.node[n], box.nodes())) ? 1 : 0;
  }
  add(mass_.data());
  for (std::size_t n = 0; n < mass_.size(); ++n)
    inverse_mass_[n] = static_cast<Real>(fixed_[n] != 0 ? 0 : 1 / mass_[n]);
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  momentum_ = std::make_unique<Momentum<Real>>(mesh, elements_, fixed_);
  pressure_ =
      std::make_unique<Pressure<Real>>(comm, box, mesh, elements_, variant, inverse_mass_.data(), sums_, rank, ranks);
  p_ = make_array<Real>(pressure_->length(), "pressure");
  phi_ = make_array<Real>(pressure_->length(), "change of the pressure");
  right_p_ = make_array<Real>(elements_.slots(), "right side of the pressure");
  start();
}

template <class Real>
void Stepper<Real>::start() {
  for (std::size_t n = 0; n < mesh_.node.size(); ++n) {
    const Cells at = tenken::coordinates<3>(mesh_.node[n], box_.nodes());
    const tenken::Point velocity = fixed_[n] != 0 ? flow_.at_wall(box_, at) : flow_.velocity(box_.place(at), 0);
    for (std::size_t c = 0; c < 3; ++c) u_[c][n] = before_[c][n] = with_[c][n] = static_cast<Real>(velocity[c]);
  }
  std::fill(p_.begin(), p_.end(), Real{0});
  steps_ = 0;
}

template <class Real>
void Stepper<Real>::watch(StepWatch* watch) {
  watch_ = watch;
  sums_.watch(watch);
  reduce_.watch(watch);
  pressure_->watch(watch);
}

// Of each element by its mean velocity and the gradient at its middle: fluxes w . G_a and the viscosity.
template <class Real>
void Stepper<Real>::model() {
  constexpr int lanes = Elements<Real>::lanes;
  using V = Vec<Real, lanes>;
  const std::int64_t count = elements_.count, nodes = mesh_.nodes();
  const auto bytes = static_cast<std::int64_t>(sizeof(Real));
  const InStep part(watch_, Phase::model,
                    {.flop = (corners * (3 + 18 + 5) + 60) * count,
                     .bytes_read = bytes * ((3 * corners + 1) * count + 3 * nodes),
                     .bytes_written = bytes * (corners + 1) * count,
                     .precision = precision<Real>});
  const auto eddy = static_cast<Real>(rules_.smagorinsky * rules_.smagorinsky);
  const auto molecular = static_cast<Real>(flow_.viscosity);
  tenken::share(elements_.blocks, [&](Range mine) {
    for (std::int64_t block = mine.first; block < mine.last; ++block) {
      const Real* const slope = elements_.slope.data() + block * corners * 3 * lanes;
      const std::int32_t* const node = elements_.node.data() + block * corners * lanes;
      const std::uint8_t* const run = elements_.run.data() + block * corners;
      V mean[3] = {}, gradient[3][3] = {};
      for (int a = 0; a < corners; ++a) {
        for (std::size_t c = 0; c < 3; ++c) {
          V v;
          if (run[a] != 0) {
            v = load<V>(with_[c] + node[a * lanes]);
          } else {
            for (int l = 0; l < lanes; ++l) v[l] = with_[c][node[a * lanes + l]];
          }
          mean[c] += v;
          for (int d = 0; d < 3; ++d) {
            gradient[d][c] += load<V>(slope + (a * 3 + d) * lanes) * v;
          }
        }
      }
      for (int a = 0; a < corners; ++a) {
        V flux{};
        for (int c = 0; c < 3; ++c) {
          flux += load<V>(slope + (a * 3 + c) * lanes) * mean[c] * Real{0.125};
        }
        store(flux, flux_.data() + (block * corners + a) * lanes);
      }
      Real of[lanes];
      const V volume = load<V>(elements_.volume.data() + block * lanes);
      V square{};  // 2 S : S, times the volume squared
      for (int d = 0; d < 3; ++d) {
        for (int c = 0; c < 3; ++c) {
          const V both = gradient[d][c] + gradient[c][d];
          square += both * both * Real{0.5};
        }
      }
      for (int l = 0; l < lanes; ++l) {
        const Real side = std::cbrt(volume[l]);
        of[l] = molecular + (eddy > 0 ? eddy * side * side * std::sqrt(square[l]) / volume[l] : 0);
      }
      std::copy(of, of + lanes, viscosity_.data() + block * lanes);
    }
  });
}

template <class Real>
void Stepper<Real>::assemble() {
  const tenken::Sell<Real>& a = momentum_->matrix();
  {
    const auto bytes = static_cast<std::int64_t>(sizeof(Real));
    const InStep part(watch_, Phase::momentum,
                      {.flop = 5 * corners * corners * elements_.count,
                       .bytes_read = (bytes * (pairs + corners + 1) + corners * corners) * elements_.count,
                       .bytes_written = bytes * (a.entries + a.rows),
                       .precision = precision<Real>});
    momentum_->assemble(viscosity_.data(), flux_.data(), part_mass_.data(), dt_, diagonal_.data());
  }
  sums_(diagonal_.data());
  const InStep part(watch_, Phase::momentum, vector_work<Real>(a.rows, 1, 1, 1));
  tenken::share_blocks(a.rows, [&](Range mine) {
    for (std::int64_t n = mine.first; n < mine.last; ++n)
      diagonal_.data()[n] = diagonal_.data()[n] != 0 ? 1 / diagonal_.data()[n] : 0;
  });
}

// A change of 2 (M / dt - A) u = -N u needs no second matrix.
template <class Real>
void Stepper<Real>::right_sides() {
  pressure_->gradient(p_.data(), false, right_);
  const tenken::Sell<Real>& a = momentum_->matrix();
  const auto twice = static_cast<Real>(2 / dt_);
  for (std::size_t c = 0; c < 3; ++c) {
    {
      const InStep part(watch_, Phase::ax, tenken::sell_work(a.rows, a.rows, a.entries, sizeof(Real)));
      tenken::multiply(a, u_[c], change_.data());
    }
    const InStep part(watch_, Phase::momentum, vector_work<Real>(a.rows, 6, 4, 1));
    const auto force = static_cast<Real>(c == 0 ? flow_.force() : 0);
    const Real *const product = change_.data(), *const mass = part_mass_.data(), *const u = u_[c];
    Real* const right = right_[c];
    tenken::share_blocks(a.rows, [&](Range mine) {
      for (std::int64_t n = mine.first; n < mine.last; ++n) {
        const Real of = right[n] + mass[n] * (twice * u[n] + force) - 2 * product[n];
        right[n] = fixed_[static_cast<std::size_t>(n)] != 0 ? 0 : of;
      }
    });
  }
  sums_(right_);
}

// The divergence of a velocity of 1 is exact to a digit of the faces of an element.
template <class Real>
Rule Stepper<Real>::pressure_rule() const {
  Rule rule = rules_.pressure;
  const double volume = box_.side[0] * box_.side[1] * box_.side[2], elements = static_cast<double>(box_.elements());
  rule.floor = std::numeric_limits<Real>::epsilon() * std::pow(volume / elements, 2.0 / 3) * std::sqrt(elements) / dt_;
  return rule;
}

template <class Real>
std::int64_t Stepper<Real>::reductions_by_formula(const StepFacts& facts) const {
  std::int64_t all = modes_.reductions() + reductions_of(rules_.pressure, facts.pressure_iterations);
  for (const int iterations : facts.momentum_iterations) all += reductions_of(rules_.momentum, iterations);
  return all;
}

template <class Real>
StepFacts Stepper<Real>::step() {
  const InStep loop(watch_, Phase::loop);
  const InStep blk(watch_, Phase::blk);
  StepFacts facts;
  model();
  assemble();
  right_sides();
  const tenken::Sell<Real>& a = momentum_->matrix();
  Work product_work = tenken::sell_work(a.rows, a.rows, a.entries, sizeof(Real));
  product_work.precision = precision<Real>;
  for (std::size_t c = 0; c < 3; ++c) {
    const auto product = [&](const Real* from, Real* to) {
      {
        const InStep part(watch_, Phase::ax, product_work);
        tenken::multiply(a, from, to);
      }
      sums_(to);
    };
    const Solve solve = nodes_solver_(product, diagonal_.data(), right_[c], change_.data(), rules_.momentum, reduce_,
                                      watch_, Phase::momentum);
    facts.momentum_iterations[c] = solve.iterations;
    const InStep part(watch_, Phase::momentum, vector_work<Real>(a.rows, 1, 2, 2));
    Real *const u = u_[c], *const before = before_[c];
    const Real* const change = change_.data();
    tenken::share_blocks(a.rows, [&](Range mine) {
      for (std::int64_t n = mine.first; n < mine.last; ++n) {
        before[n] = u[n];
        u[n] += change[n];
      }
    });
  }

  pressure_->divergence(u_, right_p_.data());
  {
    const InStep part(watch_, Phase::pressure, vector_work<Real>(elements_.count, 1, 1, 1));
    const auto by = static_cast<Real>(-1 / dt_);
    tenken::share_blocks(elements_.slots(), [&](Range mine) {
      for (std::int64_t e = mine.first; e < mine.last; ++e) right_p_.data()[e] *= by;
    });
  }
  modes_.remove_from(right_p_.data(), reduce_);
  const auto apply = [&](Real* from, Real* to) { (*pressure_)(from, to); };
  const Solve solve = elements_solver_(apply, pressure_->inverse_diagonal(), right_p_.data(), phi_.data(),
                                       pressure_rule(), reduce_, watch_, Phase::pressure);
  facts.pressure_iterations = solve.iterations;
  facts.divergence_before = solve.right_side * dt_;
  facts.pressure_residual = solve.right_side > 0 ? solve.residual / solve.right_side : 0;

  const Three<Real>& g = pressure_->scratch();
  pressure_->gradient(phi_.data(), true, g);
  sums_(g);
  {
    const InStep part(watch_, Phase::pressure, vector_work<Real>(elements_.count, 1, 2, 1));
    tenken::share_blocks(elements_.slots(), [&](Range mine) {
      for (std::int64_t e = mine.first; e < mine.last; ++e) p_.data()[e] += phi_.data()[e];
    });
  }
  {
    const InStep part(watch_, Phase::momentum, vector_work<Real>(3 * a.rows, 5, 3, 2));
    const auto dt = static_cast<Real>(dt_);
    tenken::share_blocks(a.rows, [&](Range mine) {
      for (std::size_t c = 0; c < 3; ++c) {
#pragma omp simd
        for (std::int64_t n = mine.first; n < mine.last; ++n) {
          u_[c][n] += dt * g[c][n];
          with_[c][n] = Real{1.5} * u_[c][n] - Real{0.5} * before_[c][n];
        }
      }
    });
  }
  ++steps_;
  return facts;
}

// Integrals and tables of elements, the matrix, integrals by nodes (or the pressure matrix), and all fields.
template <class Real>
std::int64_t Stepper<Real>::working_set_bytes() const {
  const auto real = static_cast<std::int64_t>(sizeof(Real));
  const std::int64_t integrals = 3 * corners;
  const std::int64_t of_element =
      real * (integrals + pairs + corners + 5 + BiCgStab<Real>::arrays) + 4 * corners + corners * corners;
  const std::int64_t of_node = real * (18 + BiCgStab<Real>::arrays) + 4 * corners;
  return of_element * elements_.count + of_node * mesh_.nodes() + momentum_->matrix().slots() * (real + 4) +
         pressure_->stored_bytes();
}

template <class Real>
double Stepper<Real>::mesh_volume() const {
  std::vector<double> volumes;
  for (const std::int64_t e : mesh_.element) volumes.push_back(integrals_of(box_, e).volume);
  // In blocks: one sum after the other loses three digits in a million elements.
  std::vector<double> blocks;
  for (std::size_t first = 0; first < volumes.size(); first += 512) {
    blocks.push_back(
        tenken::sum_in_order({volumes.data() + first, std::min<std::size_t>(512, volumes.size() - first)}));
  }
  return tenken::sum_in_order(blocks);
}

template <class Real>
double Stepper<Real>::kinetic_energy() const {
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t n = 0; n < mesh_.own; ++n) {
    double square = 0;
    for (const Real* const u : u_) square += static_cast<double>(u[n]) * u[n];
    sum += mass_[static_cast<std::size_t>(n)] * square / 2;
  }
  return sum;
}

// With u and u* of a step, E(u*) - E(u) = -dt nu |(u* + u) / 2|^2 + dt / 2 (D u*) . p, and E(u*) = E(u_next) + dt^2 / 2
// phi . L phi with D u* = -dt L phi. So E + dt^2 / 4 p . L p falls by the viscous part and dt^2 / 4 phi . L phi.
template <class Real>
double Stepper<Real>::pressure_energy() {
  const Three<Real>& g = pressure_->scratch();
  pressure_->gradient(p_.data(), false, g);
  sums_(g);
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t n = 0; n < mesh_.own; ++n) {
    double square = 0;
    for (const Real* const of : g) square += static_cast<double>(of[n]) * of[n];
    sum += square * inverse_mass_.data()[n];
  }
  return dt_ * dt_ / 4 * sum;
}

template <class Real>
double Stepper<Real>::divergence_norm() {
  pressure_->divergence(u_, right_p_.data());
  return std::sqrt(tenken::dot(Range{0, elements_.slots()}, right_p_.data(), right_p_.data()));
}

template <class Real>
double Stepper<Real>::error(double& size) const {
  double wrong = 0;
  size = 0;
  for (std::int64_t i = 0; i < mesh_.own; ++i) {
    const auto n = static_cast<std::size_t>(i);
    const tenken::Point at = box_.place(tenken::coordinates<3>(mesh_.node[n], box_.nodes()));
    const tenken::Point exact = flow_.velocity(at, time());
    for (std::size_t c = 0; c < 3; ++c) {
      wrong += mass_[n] * std::pow(u_[c][n] - exact[c], 2);
      size += mass_[n] * exact[c] * exact[c];
    }
  }
  return wrong;
}

template class Stepper<float>;
template class Stepper<double>;

}  // namespace les
