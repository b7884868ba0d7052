// Kernels of the check les in turn, and what reading and copying the same bytes costs: for benchmarks/les_speed.py.
//
//   les_speed CELLS TURNS      one line a kernel: name, median seconds, bytes of its formula
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "flow.hpp"
#include "momentum.hpp"
#include "numerics/dots.hpp"
#include "numerics/vectors.hpp"
#include "pressure.hpp"

using namespace les;
using Real = float;

namespace {

struct Kernel {
  std::string name;
  std::int64_t bytes;
  std::function<void()> run;
  std::vector<double> seconds{};
};

// What a variant needs, in one order.
struct Parts {
  Box box;
  Mesh mesh;
  Elements<Real> elements;
  NodeSums<Real> sums;
  tenken::Buffer<Real> inverse_mass;
  Pressure<Real> pressure;
  tenken::Buffer<Real> p, to;

  Parts(int n, Order order, Variant variant)
      : box(box_of(Kind::cavity_3d, {n, n, n}, 0, 0)),
        mesh(make_mesh(box, order, 1, 0, 1)),
        elements(make_elements<Real>(
            box, mesh, variant == Variant::scatter ? element_colours(mesh) : std::vector<std::vector<std::int32_t>>{})),
        sums(MPI_COMM_SELF, mesh.shared),
        inverse_mass(tenken::make_array<Real>(padded_nodes<Real>(mesh), "inverse mass")),
        pressure((std::fill(inverse_mass.begin(), inverse_mass.end(), Real{1}), MPI_COMM_SELF), box, mesh, elements,
                 variant, inverse_mass.data(), sums, 0, 1),
        p(tenken::make_array<Real>(pressure.length(), "pressure")),
        to(tenken::make_array<Real>(pressure.length(), "pressure")) {
    for (std::size_t e = 0; e < p.size(); ++e) p[e] = static_cast<Real>(e % 7);
  }
};

void measure(int n, int turns) {
  Parts gather(n, Order::natural, Variant::gather), scatter(n, Order::natural, Variant::scatter),
      fused(n, Order::natural, Variant::fused), assembled(n, Order::natural, Variant::assembled),
      random(n, Order::random, Variant::gather);
  std::vector<std::uint8_t> fixed(gather.mesh.node.size());
  Momentum<Real> momentum(gather.mesh, gather.elements, fixed);
  const tenken::Sell<Real>& a = momentum.matrix();
  auto x = tenken::make_array<Real>(a.columns, "x"), y = tenken::make_array<Real>(a.columns, "y");
  const tenken::Work ax = tenken::sell_work(a.rows, a.columns, a.entries, sizeof(Real));
  const auto numbers_of = [](std::int64_t bytes) { return tenken::make_array<double>(bytes / 8, "bytes to read"); };
  const auto pair = [](const Parts& of) {
    const tenken::Work one = of.pressure.gradient_work(), other = of.pressure.divergence_work();
    return one.bytes_read + one.bytes_written + other.bytes_read + other.bytes_written;
  };
  const auto in_matrix = numbers_of(ax.bytes_read), in_pair = numbers_of(pair(gather));
  auto copied = numbers_of(ax.bytes_read / 4);
  double sink = 0;
  const auto read = [&](const tenken::Buffer<double>& of) {
    double all = 0;
#pragma omp parallel reduction(+ : all)
    {
      double mine = 0;
      tenken::share(static_cast<std::int64_t>(of.size()), [&](tenken::Range r) { mine = tenken::sum(r, of.data()); });
      all += mine;
    }
    sink += all;
  };
  std::vector<Kernel> kernels{
      {"read_matrix", ax.bytes_read, [&] { read(in_matrix); }},
      {"ax", ax.bytes_read + ax.bytes_written, [&] { tenken::multiply(a, x.data(), y.data()); }},
      {"read_pair", pair(gather), [&] { read(in_pair); }},
      {"gather", pair(gather), [&] { gather.pressure(gather.p.data(), gather.to.data()); }},
      {"scatter", pair(scatter), [&] { scatter.pressure(scatter.p.data(), scatter.to.data()); }},
      {"fused", fused.pressure.fused_work().bytes_read + fused.pressure.fused_work().bytes_written,
       [&] { fused.pressure(fused.p.data(), fused.to.data()); }},
      {"assembled", assembled.pressure.assembled_work().bytes_read,
       [&] { assembled.pressure(assembled.p.data(), assembled.to.data()); }},
      {"random", pair(random), [&] { random.pressure(random.p.data(), random.to.data()); }},
      {"copy", 2 * 8 * static_cast<std::int64_t>(copied.size()),
       [&] { tenken::copy(static_cast<std::int64_t>(copied.size()), in_matrix.data(), copied.data()); }}};
  for (int turn = -1; turn < turns; ++turn) {  // the first warms up
    for (Kernel& kernel : kernels) {
      const auto start = std::chrono::steady_clock::now();
      kernel.run();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
      if (turn >= 0) kernel.seconds.push_back(took.count());
    }
  }
  for (Kernel& kernel : kernels) {
    std::sort(kernel.seconds.begin(), kernel.seconds.end());
    std::printf("%s %.9g %lld\n", kernel.name.c_str(), kernel.seconds[kernel.seconds.size() / 2],
                static_cast<long long>(kernel.bytes));
  }
  std::fprintf(stderr, "%g\n", sink);  // what was read is used
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  measure(argc > 1 ? std::atoi(argv[1]) : 64, argc > 2 ? std::atoi(argv[2]) : 15);
  MPI_Finalize();
  return 0;
}
