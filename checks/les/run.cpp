#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "vtu.hpp"

namespace les {

using namespace tenken;
namespace validity = this_check::validity;

namespace {

// Bytes of a rank: integrals by elements and by nodes, matrix of 27 entries a row, vectors; and what makes the mesh.
double bytes_of(const Settings& settings, Variant variant, int ranks) {
  const auto elements = static_cast<double>(settings.box.elements()) / ranks;
  const double real = settings.single ? 4 : 8;
  const double of_element = real * (24 + pairs + 8 + 3 + BiCgStab<float>::arrays + 4) + 4 * 8 + 64 +
                            (variant == Variant::scatter ? 0 : real * 24 + 4 * 8) +
                            (variant == Variant::assembled ? 27 * (real + 4) : 0);
  const double of_node = 2 * 27 * (real + 4) + real * (12 + 3 + 6 + BiCgStab<float>::arrays) + 8 + 64;
  return elements * (of_element + of_node) + mesh_bytes(settings.box.elements() / ranks);
}

// The shortest of the edges of this rank's elements.
double shortest_edge(const Box& box, const Mesh& mesh) {
  double shortest = 1e300;
  for (const std::int64_t e : mesh.element) {
    const Hexahedron shape = box.hexahedron(coordinates<3>(e, box.cells));
    for (int a = 0; a < corners; ++a) {
      for (int d = 0; d < 3; ++d) {
        if (upper(a, d) != 0) continue;
        const Point &from = shape[static_cast<std::size_t>(a)], &to = shape[static_cast<std::size_t>(a | 1 << d)];
        shortest = std::min(shortest, std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]));
      }
    }
  }
  return shortest;
}

}  // namespace

Launch launch_of(const Check& check, const Settings& settings) {
  const Variant variant = variant_of(check.variant());
  check.require_memory(bytes_of(settings, variant, check.ranks()), "mesh, matrix and fields of a rank");
  Launch launch{settings, make_mesh(settings.box, settings.order, settings.seed, check.rank(), check.ranks()), {}, 0};
  if (variant == Variant::scatter) {
    launch.groups = element_colours(launch.mesh);
    if (check.fault("colour_conflict") && launch.groups.size() > 1) {
      auto& first = launch.groups[0];
      first.insert(first.end(), launch.groups[1].begin(), launch.groups[1].end());
      std::sort(first.begin(), first.end());
      launch.groups.erase(launch.groups.begin() + 1);
    }
  } else if (check.fault("colour_conflict")) {
    refuse("--fault colour_conflict needs --variant scatter; the other variants have no colours");
  }
  const double longest = -check.max_over_ranks(-shortest_edge(settings.box, launch.mesh));  // greatest velocity: 1
  launch.dt = settings.dt == 0 ? longest / 2 : settings.dt;
  if (launch.dt > longest) {
    refuse("--step " + std::to_string(settings.dt) + " is longer than the limit of " + std::to_string(longest) +
           ", in which the greatest velocity passes the shortest edge; choose a shorter step");
  }
  return launch;
}

template <class Real>
Run<Real>::Run(Check& check, const Launch& launch)
    : check_(check),
      launch_(launch),
      stepper_(check.comm(), launch.settings.box, launch.mesh, launch.groups, launch.settings.flow,
               variant_of(check.variant()), launch.settings.rules, launch.dt) {
  const bool last = check.rank() == check.ranks() - 1;
  for (const char* fault : {"stale_halo", "lost_shared_node"}) {
    if (check.fault(fault) && check.ranks() < 2)
      refuse(std::string("--fault ") + fault + " needs two ranks; start it with mpirun -n 2");
  }
  if (last && check.fault("stale_halo")) stepper_.node_sums().leave_out();
  if (check.rank() == 0 && check.fault("lost_shared_node")) stepper_.node_sums().lose_a_node();
  if (last && check.fault("wrong_sign_divergence")) stepper_.pressure_operator().turn_sign();
  prove_mesh();
  prove_pair();
  energy_ = sum(stepper_.kinetic_energy());
  stepper_.watch(&timer_);
}

// Volumes, and the divergence of a linear velocity.
template <class Real>
void Run<Real>::prove_mesh() {
  const Box& box = launch_.settings.box;
  check_.prove(validity::volume, std::abs(sum(stepper_.mesh_volume()) / (box.side[0] * box.side[1] * box.side[2]) - 1));
  const Elements<Real>& elements = stepper_.elements();
  constexpr int lanes = Elements<Real>::lanes;
  double worst = 0;
  for (std::size_t e = 0; e < launch_.mesh.element.size(); ++e) {
    const Hexahedron shape = box.hexahedron(coordinates<3>(launch_.mesh.element[e], box.cells));
    const std::int64_t slot = elements.slot[e];
    double got = 0, size = 0;
    for (std::size_t a = 0; a < corners; ++a) {
      for (std::size_t c = 0; c < 3; ++c) {
        const double slope =
            elements.slope[static_cast<std::size_t>((slot / lanes * corners + static_cast<std::int64_t>(a)) * 3 +
                                                    static_cast<std::int64_t>(c)) *
                               lanes +
                           static_cast<std::size_t>(slot % lanes)];
        const double product = slope * static_cast<double>(c + 1) * shape[a][c];
        got += product;
        size += std::abs(product);
      }
    }
    const double exact = 6 * integrals_of(box, launch_.mesh.element[e]).volume;
    worst = std::max(worst, std::abs(got - exact) / (size + exact));
  }
  check_.prove(validity::linear, check_.max_over_ranks(worst), sizeof(Real) == 4 ? 1e-5 : 1e-12,
               check_.parameters().text("precision") + " precision");
}

// <p, D v> = <D^T p, v>, through the kernels of the variant and the sums of shared nodes.
template <class Real>
void Run<Real>::prove_pair() {
  const Mesh& mesh = launch_.mesh;
  const Elements<Real>& elements = stepper_.elements();
  const RandomStream random(launch_.settings.seed, 3);
  auto p = make_array<Real>(stepper_.pressure_operator().length(), "test pressure");
  for (std::size_t e = 0; e < mesh.element.size(); ++e) {
    p[static_cast<std::size_t>(elements.slot[e])] =
        static_cast<Real>(random.uniform(static_cast<std::uint64_t>(mesh.element[e])) - 0.5);
  }
  std::array<Buffer<Real>, 3> memory;
  Three<Real> v;
  for (std::size_t c = 0; c < 3; ++c) {
    memory[c] = make_array<Real>(padded_nodes<Real>(mesh), "test velocity");
    v[c] = memory[c].data();
    const RandomStream stream(launch_.settings.seed, 4 + c);
    for (std::size_t n = 0; n < mesh.node.size(); ++n) {
      v[c][n] = static_cast<Real>(stream.uniform(static_cast<std::uint64_t>(mesh.node[n])) - 0.5);
    }
  }
  Pressure<Real>& operators = stepper_.pressure_operator();
  auto d = make_array<Real>(elements.slots(), "test divergence");
  operators.divergence(v, d.data());
  const Range all{0, elements.slots()}, own{0, mesh.own};
  const double left = sum(dot(all, p.data(), d.data()));
  const double norms = std::sqrt(sum(dot(all, p.data(), p.data())) * sum(dot(all, d.data(), d.data())));
  const Three<Real>& g = operators.scratch();
  operators.gradient(p.data(), false, g);
  stepper_.node_sums()(g);
  double right = 0;
  for (std::size_t c = 0; c < 3; ++c) right += dot(own, g[c], v[c]);
  check_.prove(validity::transpose, std::abs(left - sum(right)) / norms, sizeof(Real) == 4 ? 1e-6 : 1e-12,
               check_.parameters().text("precision") + " precision");
}

// Errors of vortices grow while these decay: after this time they begin again, so that a fast machine proves the same.
constexpr double longest_run = 2;

template <class Real>
void Run<Real>::note_error() {
  double size = 0;
  const double wrong = sum(stepper_.error(size)), error = std::sqrt(wrong / sum(size));
  if (!(error <= error_)) error_ = error;  // a NaN, too
}

template <class Real>
void Run<Real>::pass() {
  const Settings& settings = launch_.settings;
  const double ahead = stepper_.time() + settings.steps * launch_.dt;
  if (settings.flow.kind == Kind::taylor_green_2d && stepper_.time() > 0 && ahead > longest_run) {
    note_error();
    elapsed_ += stepper_.time();
    stepper_.start();
    energy_ = sum(stepper_.kinetic_energy());
  }
  for (int i = 0; i < settings.steps; ++i) {
    const std::int64_t before = stepper_.reductions().count();
    last_ = stepper_.step();
    reductions_ = stepper_.reductions().count() - before;
  }
  stepper_.watch(nullptr);
  kinetic_energy_ = sum(stepper_.kinetic_energy());
  const double energy = kinetic_energy_ + sum(stepper_.pressure_energy());
  stepper_.watch(&timer_);
  history_.push_back({elapsed_ + stepper_.time(), kinetic_energy_});
  growth_ = std::max(growth_, energy / energy_ - 1);
  if (!std::isfinite(energy)) growth_ = energy;
  energy_ = energy;
}

template <class Real>
void Run<Real>::report() {
  stepper_.watch(nullptr);
  const Settings& settings = launch_.settings;
  const bool single = sizeof(Real) == 4;
  const std::string why = check_.parameters().text("precision") + " precision";
  check_.value("free", "flag", settings.flow.driven() ? 0 : 1);
  // With an eddy viscosity, or solves of fewer iterations than the default, the flow is another.
  const bool exact = settings.flow.exact() && settings.rules.smagorinsky == 0 &&
                     settings.rules.momentum.iterations >= 5 && settings.rules.pressure.iterations >= 50;
  check_.value("exact", "flag", exact ? 1 : 0);

  const double before = last_.divergence_before;
  const double norm = stepper_.divergence_norm(), after = std::sqrt(sum(norm * norm));
  // What rounding leaves of a velocity of 1: its last digit times the faces of an element, in all elements.
  const double element = std::cbrt(settings.box.side[0] * settings.box.side[1] * settings.box.side[2] /
                                   static_cast<double>(settings.box.elements()));
  const double digit = single ? 1.2e-7 : 2.2e-16;
  const double rounding = 4 * digit * element * element * std::sqrt(static_cast<double>(settings.box.elements()));
  const double left = last_.pressure_residual * before + rounding;
  check_.prove(validity::projection, std::max(0.0, after - left) / left);
  check_.value("divergence_left", "1", before > 0 ? after / before : 0);
  check_.prove(validity::reductions,
               static_cast<double>(std::abs(reductions_ - stepper_.reductions_by_formula(last_))));
  if (!settings.flow.driven()) check_.prove(validity::energy, growth_, single ? 1e-5 : 1e-10, why);
  if (exact) {
    note_error();
    check_.value("velocity_l2", "1", error_);
    const bool vortices = settings.flow.kind == Kind::taylor_green_2d;
    const double coarsest = std::min(settings.box.cells[0], settings.box.cells[1]), digits = single ? 1e-4 : 1e-10;
    check_.prove(validity::solution, error_ / (digits + (vortices ? 3 / (coarsest * coarsest) : 0)));
  }
  report_tables();
  check_.value("working_set_bytes", "B", sum(static_cast<double>(stepper_.working_set_bytes())));
  check_.value("elements", "1", static_cast<double>(settings.box.elements()));
  check_.value("time_step", "1", launch_.dt);
  check_.value("time", "1", elapsed_ + stepper_.time());
  check_.value("kinetic_energy", "1", kinetic_energy_);
  check_.value("pressure_iterations", "1", last_.pressure_iterations);
  check_.value("momentum_iterations", "1", *std::ranges::max_element(last_.momentum_iterations));
  check_.value("reductions_of_step", "1", static_cast<double>(reductions_));
  check_.value("messages_of_sum", "1", check_.max_over_ranks(static_cast<double>(stepper_.node_sums().messages())));
  check_.value("shared_nodes_bytes", "B",
               check_.max_over_ranks(static_cast<double>(stepper_.node_sums().bytes_of_three())));
}

template <class Real>
void Run<Real>::report_tables() {
  const Settings& settings = launch_.settings;
  const auto component = [&](std::size_t c, const std::vector<Cells>& nodes) {
    const Real* const of = stepper_.velocity()[c];
    return at_nodes(check_.comm(), settings.box, launch_.mesh, nodes,
                    [&](std::int64_t n) { return static_cast<double>(of[n]); });
  };
  for (const std::size_t along : {std::size_t{1}, std::size_t{0}}) {
    const std::vector<double> velocity = component(1 - along, middle_line(settings.box, along));
    check_.table(profile_table(settings.box, settings.flow, stepper_.time(), along, velocity));
  }
  const Plane plane = middle_plane(settings.box);
  check_.table(plane_table(settings.box, plane, component(0, plane.nodes)));
  check_.table(energy_table(history_));
  const std::string& name = check_.parameters().text("save");
  if (name.empty()) return;
  const auto velocity = [&](std::int64_t n) {
    const Three<Real>& all = stepper_.velocity();
    return std::array{static_cast<double>(all[0][n]), static_cast<double>(all[1][n]), static_cast<double>(all[2][n])};
  };
  const auto pressure = [&](std::int64_t e) {
    return static_cast<double>(stepper_.pressure()[stepper_.elements().slot[static_cast<std::size_t>(e)]]);
  };
  write_vtu(name, check_.rank(), check_.ranks(), settings.box, launch_.mesh, {velocity, pressure});
}

template class Run<float>;
template class Run<double>;

}  // namespace les
