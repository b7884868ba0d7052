#include "proofs.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "numerics/dots.hpp"

namespace tenken::elasticity {

namespace {

double global(const System& system, double x, MPI_Op how) {
  double values[2] = {std::isnan(x) ? 0.0 : x, std::isnan(x) ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, &values[0], 1, MPI_DOUBLE, how, system.comm());
  MPI_Allreduce(MPI_IN_PLACE, &values[1], 1, MPI_DOUBLE, MPI_MAX, system.comm());
  return values[1] > 0 ? std::nan("") : values[0];
}

// NaN wins.
double larger(double a, double b) { return a > b || std::isnan(a) ? a : b; }

// The greatest of error(own) over every stride-th own node.
template <class Error>
double greatest(const System& system, std::int64_t stride, const Error& error) {
  double all = 0;
#pragma omp parallel
  {
    double mine = 0;
#pragma omp for schedule(static) nowait
    for (std::int64_t own = 0; own < system.mesh().own(); own += stride) mine = larger(mine, error(own));
#pragma omp critical
    all = larger(all, mine);
  }
  return global(system, all, MPI_MAX);
}

double distance(const Point& expected, const double* found) {
  double worst = 0;
  for (std::size_t i = 0; i < 3; ++i) worst = larger(worst, std::abs(found[i] - expected[i]));
  return worst;
}

Point random_point(const Mesh& mesh, std::uint64_t seed, std::uint64_t stream, const Node& node) {
  const RandomStream random(seed, stream);
  Point x;
  for (std::size_t i = 0; i < 3; ++i) x[i] = 2 * random.uniform(3 * mesh.number(node) + i) - 1;
  return x;
}

template <class At>
void fill_nodes(const Mesh& mesh, double* x, const At& at) {
  share_blocks(mesh.own(), [&](Range mine) {
    for (std::int64_t own = mine.first; own < mine.last; ++own) {
      const Point here = at(mesh.node(own));
      std::copy(here.begin(), here.end(), x + 3 * own);
    }
  });
}

double dot_of(const System& system, const Buffer<double>& x, const Buffer<double>& y) {
  return global(system, Dots(system.numbers())(x.data(), y.data()), MPI_SUM);
}
double length(const System& system, const Buffer<double>& x) { return std::sqrt(dot_of(system, x, x)); }

Buffer<double> random_field(const Subject& s, std::uint64_t stream) {
  const Mesh& mesh = s.system.mesh();
  auto x = make_array<double>(s.system.numbers(), "a vector of a proof");
  fill_nodes(mesh, x.data(), [&](const Node& node) { return random_point(mesh, s.seed, stream, node); });
  return x;
}

Buffer<double> product(System& system, const Buffer<double>& x) {
  auto y = make_array<double>(system.numbers(), "a product of a proof");
  std::copy(x.begin(), x.end(), system.operand());
  system.exchange();
  system.multiply(y.data());
  return y;
}

constexpr std::uint64_t left = 1, right = 2;

}  // namespace

double row_norm(const System& system) {
  const Matrix& a = system.matrix();
  std::vector<double> sums(static_cast<std::size_t>(system.numbers()));
#pragma omp parallel for schedule(static)
  for (std::int64_t chunk = 0; chunk < a.chunks; ++chunk) {
    const auto at = static_cast<std::size_t>(chunk);
    for (std::int64_t slot = a.begin[at]; slot < a.begin[at + 1]; ++slot) {
      const std::int64_t row = std::min(chunk * a.c + slot % a.c, a.rows - 1);
      const std::int64_t column = a.column[static_cast<std::size_t>(slot)];
      const bool mirrored = slot >= a.begin[at] + a.c && slot < a.outside[at];
      double of_row[3] = {}, of_column[3] = {};
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          const double size = std::abs(a.value[static_cast<std::size_t>(a.place(slot, i, j))]);
          of_row[i] += size;
          of_column[j] += size;
        }
      }
      for (int i = 0; i < 3; ++i) {
#pragma omp atomic
        sums[static_cast<std::size_t>(3 * row + i)] += of_row[i];
        if (!mirrored) continue;
#pragma omp atomic
        sums[static_cast<std::size_t>(3 * column + i)] += of_column[i];
      }
    }
  }
  return global(system, sums.empty() ? 0 : *std::max_element(sums.begin(), sums.end()), MPI_MAX);
}

double asymmetry(const Subject& s) {
  const Buffer<double> x = random_field(s, left), y = random_field(s, right);
  const double there = dot_of(s.system, x, product(s.system, y)), back = dot_of(s.system, y, product(s.system, x));
  return std::abs(there - back) / (s.norm * length(s.system, x) * length(s.system, y));
}

PreconditionerProof preconditioner_proof(const Subject& s) {
  const System& system = s.system;
  const Buffer<double> x = random_field(s, left), y = random_field(s, right);
  auto mx = make_array<double>(system.numbers(), "a product of a proof");
  auto my = make_array<double>(system.numbers(), "a product of a proof");
  system.precondition(x.data(), mx.data());
  system.precondition(y.data(), my.data());
  const double size = length(system, mx);
  PreconditionerProof proof;
  proof.asymmetry = std::abs(dot_of(system, x, my) - dot_of(system, y, mx)) / (size * length(system, y));
  proof.least = dot_of(system, x, mx) / (size * length(system, x));
  proof.inverse = greatest(system, 1, [&](std::int64_t own) {
    const Block3 b = block_at(system.matrix(), own, own), m = system.inverse()[static_cast<std::size_t>(own)];
    double worst = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        double sum = i == j ? -1 : 0;
        for (int k = 0; k < 3; ++k) sum += b(i, k) * m(k, j);
        worst = larger(worst, std::abs(sum));
      }
    }
    return worst;
  });
  return proof;
}

double reference_error(const Subject& s) {
  const Mesh& mesh = s.system.mesh();
  const PlainForces plain(mesh, s.material);
  // Elements of a distorted mesh are integrated one by one.
  const std::int64_t enough = mesh.distorted() ? 1 << 11 : 1 << 17;
  const std::int64_t stride = std::max<std::int64_t>(1, mesh.own() / enough);
  double worst = 0;
  for (const std::uint64_t stream : {left, right}) {
    const Buffer<double> y = product(s.system, random_field(s, stream));
    worst = larger(worst, greatest(s.system, stride, [&](std::int64_t own) {
                     const Point expected = plain.at(
                         mesh.node(own), [&](const Node& node) { return random_point(mesh, s.seed, stream, node); });
                     return distance(expected, y.data() + 3 * own);
                   }));
  }
  return worst / s.norm;
}

double rigid_force(const Subject& s) {
  const Mesh& mesh = s.system.mesh();
  double worst = 0;
  for (std::size_t mode = 0; mode < 6; ++mode) {
    const auto motion = [&](const Node& node) -> Point {
      if (mode < 3) {
        Point shift{};
        shift[mode] = 1;
        return shift;
      }
      const std::size_t i = mode - 3, j = (i + 1) % 3;
      const Point at = mesh.place(node);
      Point turn{};
      turn[i] = -at[j] / mesh.nodes()[j];
      turn[j] = at[i] / mesh.nodes()[j];
      return turn;
    };
    auto x = make_array<double>(s.system.numbers(), "a rigid motion");
    fill_nodes(mesh, x.data(), motion);
    const Buffer<double> y = product(s.system, x);
    worst = larger(worst, greatest(s.system, 1, [&](std::int64_t own) {
                     const Node node = mesh.node(own);
                     if (std::min({node[0], node[1], node[2]}) < 2) return 0.0;
                     return distance({}, y.data() + 3 * own);
                   }));
  }
  return worst / s.norm;
}

double displacement_error(const Subject& s, const Buffer<double>& u) {
  const Mesh& mesh = s.system.mesh();
  const double worst = greatest(s.system, 1, [&](std::int64_t own) {
    return distance(exact_displacement(mesh.place(mesh.node(own)), s.material), u.data() + 3 * own);
  });
  return worst / exact_displacement({0, 0, static_cast<double>(mesh.nodes()[2] - 1)}, s.material)[2];
}

}  // namespace tenken::elasticity
