#include "proofs.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "ref.hpp"

namespace tenken::cg_family {

namespace {

double global(const System& system, double x, MPI_Op how) {
  double values[2] = {std::isnan(x) ? 0.0 : x, std::isnan(x) ? 1.0 : 0.0};
  MPI_Allreduce(MPI_IN_PLACE, &values[0], 1, MPI_DOUBLE, how, system.comm());
  MPI_Allreduce(MPI_IN_PLACE, &values[1], 1, MPI_DOUBLE, MPI_MAX, system.comm());
  return values[1] > 0 ? std::nan("") : values[0];
}

double dot_of(const System& system, const Buffer<double>& x, const Buffer<double>& y) {
  double sum = 0;
  for (int thread = 0; thread < system.threads(); ++thread) sum += system.shares().dot(thread, x, y);
  return global(system, sum, MPI_SUM);
}
double length(const System& system, const Buffer<double>& x) { return std::sqrt(dot_of(system, x, x)); }

// The same on any number of ranks.
double random_value(const System& system, std::uint64_t stream, const Index<3>& cell) {
  const auto number = static_cast<std::uint64_t>(position(cell, system.block().cells()));
  return 2 * RandomStream(1, stream).uniform(number) - 1;
}

Buffer<double> random_vector(const System& system, std::uint64_t stream) {
  Buffer<double> x = system.vector("a vector of a proof");
  system.fill(x.data(), [&](const Index<3>& cell) { return random_value(system, stream, cell); });
  return x;
}

}  // namespace

Buffer<double> multiplied(System& system, const Buffer<double>& x) {
  Buffer<double> y = system.vector("a product of a proof");
  if (system.has_halo()) system.start_halo(x.data());
  for (int thread = 0; thread < system.threads(); ++thread) system.multiply_inside(thread, x.data(), y.data());
  if (!system.has_halo()) return y;
  system.finish_halo();
  for (int thread = 0; thread < system.threads(); ++thread) system.add_halo(thread, y.data());
  return y;
}

Buffer<double> preconditioned(const System& system, const Buffer<double>& r) {
  Buffer<double> z = system.vector("a vector of a proof");
  const int threads = system.threads(), colours = system.matrix().colours();
  if (system.preconditioner() == Preconditioner::point) {
    for (int thread = 0; thread < threads; ++thread) system.point(thread, r.data(), z.data());
  } else {
    for (int colour = 0; colour < colours; ++colour) {
      for (int thread = 0; thread < threads; ++thread) system.forward(thread, colour, r.data(), z.data());
    }
    for (int colour = colours - 2; colour >= 0; --colour) {
      for (int thread = 0; thread < threads; ++thread) system.backward(thread, colour, z.data());
    }
  }
  if (system.has_fault()) system.add_fault(0, r.data(), z.data());
  return z;
}

double reference_error(System& system) {
  double worst = 0;
  for (const std::uint64_t stream : {1, 2}) {
    const Buffer<double> y = multiplied(system, random_vector(system, stream));
    for (std::int64_t place = 0; place < system.matrix().padded; ++place) {
      if (system.padding(place)) continue;
      const double expected = plain::row(system.block().cells(), system.cell(place),
                                         [&](const Index<3>& cell) { return random_value(system, stream, cell); });
      const double error = std::abs(y[static_cast<std::size_t>(place)] - expected) / row_norm;
      if (!(error <= worst)) worst = error;
    }
  }
  return global(system, worst, MPI_MAX);
}

double asymmetry(System& system) {
  const Buffer<double> x = random_vector(system, 3), y = random_vector(system, 4);
  const double xy = dot_of(system, x, multiplied(system, y)), yx = dot_of(system, y, multiplied(system, x));
  return std::abs(xy - yx) / (row_norm * length(system, x) * length(system, y));
}

PreconditionerProof preconditioner_proof(System& system) {
  const Buffer<double> x = random_vector(system, 5), y = random_vector(system, 6);
  const Buffer<double> of_x = preconditioned(system, x), of_y = preconditioned(system, y);
  const double xy = dot_of(system, x, of_y), yx = dot_of(system, y, of_x);
  return {std::abs(xy - yx) / (length(system, x) * length(system, of_y)),
          dot_of(system, x, of_x) / (length(system, x) * length(system, of_x))};
}

double balance_error(const System& system, const Buffer<double>& b, const Buffer<double>& x) {
  double source = 0, out = 0;
  for (std::int64_t place = 0; place < system.matrix().padded; ++place) {
    if (system.padding(place)) continue;
    source += b[static_cast<std::size_t>(place)];
    if (system.cell(place)[2] + 1 == system.block().cells()[2]) out += 2 * x[static_cast<std::size_t>(place)];
  }
  source = global(system, source, MPI_SUM);
  return std::abs(source - global(system, out, MPI_SUM)) / std::abs(source);
}

}  // namespace tenken::cg_family
