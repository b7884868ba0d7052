// Mesh, integrals and the pair of operators against loops over the whole box.
#include <doctest/doctest.h>
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "base/random.hpp"
#include "elements.hpp"
#include "flow.hpp"
#include "pressure.hpp"
#include "twin.hpp"

using namespace les;
using tenken::corners;

namespace {

int rank_here() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
int ranks_here() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

const Order orders[] = {Order::natural, Order::random, Order::rcm};
Box bent(Kind kind, const Cells& cells) { return box_of(kind, cells, kind == Kind::channel ? 0.7 : 0, 0.02); }

TEST_CASE("every element belongs to one rank, blocks differ by few elements, and lists of shared nodes agree") {
  for (const int ranks : {1, 2, 3, 5, 8, 13}) {
    const Box box = box_of(Kind::channel, {9, 7, 6}, 0, 0);
    std::vector<int> count(static_cast<std::size_t>(ranks));
    for (std::int64_t e = 0; e < box.elements(); ++e) {
      const Cells at = tenken::coordinates<3>(e, box.cells);
      const int owner = owner_of(box, at, ranks);
      const Block block = block_of(box, owner, ranks);
      for (std::size_t d = 0; d < 3; ++d) CHECK((at[d] >= block.first[d] && at[d] < block.last[d]));
      ++count[static_cast<std::size_t>(owner)];
    }
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    CHECK(*least > 0);
    CHECK(*most <= 2 * *least);
    std::int64_t own = 0;
    for (int rank = 0; rank < ranks; ++rank) own += make_mesh(box, Order::natural, 1, rank, ranks).own;
    CHECK(own == box.number_of_nodes());
  }
  const Box small = box_of(Kind::cavity_3d, {2, 2, 2}, 0, 0);
  CHECK_THROWS_AS(for (int rank = 0; rank < 9; ++rank) block_of(small, rank, 9), tenken::UserError);
  for (const Order order : orders) {
    const Mesh mesh = make_mesh(bent(Kind::taylor_green_3d, {6, 5, 4}), order, 3, rank_here(), ranks_here());
    CHECK_NOTHROW(tenken::require_valid(MPI_COMM_WORLD, mesh.shared));
    std::vector<double> ones(mesh.node.size(), 1);
    NodeSums<double> sums(MPI_COMM_WORLD, mesh.shared);
    std::vector<double> numbers(mesh.node.begin(), mesh.node.end());
    sums(ones.data());
    sums(numbers.data());
    for (std::size_t n = 0; n < ones.size(); ++n) CHECK(numbers[n] == ones[n] * static_cast<double>(mesh.node[n]));
  }
}

TEST_CASE("random order is another order, reverse Cuthill-McKee has a small bandwidth, colours do not touch") {
  const Box box = bent(Kind::cavity_3d, {6, 6, 6});
  const Mesh natural = make_mesh(box, Order::natural, 1, 0, 1), random = make_mesh(box, Order::random, 1, 0, 1),
             rcm = make_mesh(box, Order::rcm, 1, 0, 1);
  const auto widest = [](const Mesh& mesh) {
    int most = 0;
    for (std::int64_t e = 0; e < mesh.elements(); ++e) {
      for (int a = 0; a < corners; ++a) most = std::max(most, std::abs(mesh.at(e, a) - mesh.at(e, 0)));
    }
    return most;
  };
  CHECK(random.node != natural.node);
  CHECK(widest(random) > 2 * widest(natural));
  CHECK(widest(rcm) < widest(random) / 2);
  for (const Mesh* mesh : {&natural, &random, &rcm}) {
    CHECK(std::set(mesh->node.begin(), mesh->node.end()).size() == natural.node.size());
    CHECK(std::set(mesh->element.begin(), mesh->element.end()).size() == natural.element.size());
    std::size_t all = 0;
    for (const auto& colour : element_colours(*mesh)) {
      std::set<std::int32_t> nodes;
      for (const std::int32_t e : colour) {
        for (int a = 0; a < corners; ++a) CHECK(nodes.insert(mesh->at(e, a)).second);
      }
      all += colour.size();
    }
    CHECK(all == natural.element.size());
  }
  CHECK(element_colours(natural).size() == 8);
}

TEST_CASE("integrals: volumes fill the box, a linear velocity has its divergence, stiffness takes no constants") {
  for (const Kind kind : {Kind::taylor_green_3d, Kind::channel, Kind::cavity_3d}) {
    const Box box = bent(kind, {5, 4, 6});
    double volume = 0;
    for (std::int64_t e = 0; e < box.elements(); ++e) {
      const Integrals of = integrals_of(box, e);
      const tenken::Hexahedron shape = box.hexahedron(tenken::coordinates<3>(e, box.cells));
      double linear = 0, share = 0;
      tenken::Point sum{};
      for (std::size_t a = 0; a < corners; ++a) {
        share += of.share[a];
        double row = 0;
        for (int b = 0; b < corners; ++b)
          row += of.stiffness[static_cast<std::size_t>(pair_of(static_cast<int>(a), b))];
        CHECK(std::abs(row) < 1e-13);
        for (std::size_t c = 0; c < 3; ++c) {
          sum[c] += of.slope[a][c];
          linear += of.slope[a][c] * static_cast<double>(c + 1) * shape[a][c];
        }
      }
      for (const double one : sum) CHECK(std::abs(one) < 1e-13);
      CHECK(std::abs(share / of.volume - 1) < 1e-13);
      CHECK(std::abs(linear / (6 * of.volume) - 1) < 1e-12);
      volume += of.volume;
    }
    CHECK(std::abs(volume / (box.side[0] * box.side[1] * box.side[2]) - 1) < 1e-12);
  }
  const Box box = box_of(Kind::cavity_3d, {8, 8, 8}, 0, 0.3);
  CHECK_THROWS_AS(for (std::int64_t e = 0; e < box.elements(); ++e) integrals_of(box, e), tenken::UserError);
}

// Of all ranks, by the number of the box.
std::vector<double> everywhere(std::size_t n, const std::vector<std::int64_t>& number, std::size_t own,
                               const auto& value) {
  std::vector<double> all(n);
  for (std::size_t i = 0; i < own; ++i) all[static_cast<std::size_t>(number[i])] = value(i);
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(n), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return all;
}

TEST_CASE_TEMPLATE("gradient and divergence of every variant and order are those of a dense matrix", Real, float,
                   double) {
  const double bar = sizeof(Real) == 4 ? 2e-6 : 1e-13;
  for (const Kind kind : {Kind::taylor_green_3d, Kind::cavity_3d, Kind::channel, Kind::cavity_2d}) {
    const Box box = bent(kind, kind == Kind::cavity_2d ? Cells{6, 5, 1} : Cells{5, 4, 6});
    const Flow flow{kind, 0.01};
    const Twin twin(box, flow, 0, 0.1);
    const tenken::RandomStream random(7, 0);
    for (const Order order : orders) {
      for (const Variant variant : {Variant::gather, Variant::scatter, Variant::fused, Variant::assembled}) {
        const Mesh mesh = make_mesh(box, order, 5, rank_here(), ranks_here());
        const auto elements = make_elements<Real>(
            box, mesh, variant == Variant::scatter ? element_colours(mesh) : std::vector<std::vector<std::int32_t>>{});
        NodeSums<Real> sums(MPI_COMM_WORLD, mesh.shared);
        auto inverse_mass = tenken::make_array<Real>(padded_nodes<Real>(mesh), "test");
        for (std::size_t n = 0; n < mesh.node.size(); ++n) {
          const auto number = static_cast<std::size_t>(mesh.node[n]);
          inverse_mass[n] = static_cast<Real>(twin.fixed(number) ? 0 : 1 / twin.mass[number]);
        }
        Pressure<Real> pressure(MPI_COMM_WORLD, box, mesh, elements, variant, inverse_mass.data(), sums, rank_here(),
                                ranks_here());
        auto p = tenken::make_array<Real>(pressure.length(), "test"),
             to = tenken::make_array<Real>(pressure.length(), "test");
        std::vector<double> plain_p(twin.p.size()), plain_v(twin.u.size());
        for (std::size_t e = 0; e < plain_p.size(); ++e) plain_p[e] = static_cast<Real>(random.uniform(e) - 0.5);
        for (std::size_t n = 0; n < plain_v.size(); ++n) plain_v[n] = static_cast<Real>(random.uniform(1000 + n) - 0.5);
        for (std::size_t e = 0; e < mesh.element.size(); ++e) {
          p[static_cast<std::size_t>(elements.slot[e])] =
              static_cast<Real>(plain_p[static_cast<std::size_t>(mesh.element[e])]);
        }
        const auto of_elements = [&](const Real* values) {
          return everywhere(plain_p.size(), mesh.element, mesh.element.size(),
                            [&](std::size_t e) { return static_cast<double>(values[elements.slot[e]]); });
        };
        const auto near = [&](const std::vector<double>& got, const std::vector<double>& exact, double size = 0) {
          double wrong = 0;
          for (std::size_t i = 0; i < exact.size(); ++i) {
            size = std::max(size, std::abs(exact[i]));
            wrong = std::max(wrong, std::abs(got[i] - exact[i]));
          }
          CHECK(wrong <= bar * size);
        };
        const Three<Real>& g = pressure.scratch();
        pressure.gradient(p.data(), false, g);
        sums(g);
        const std::vector<double> exact_g = transposed_product(twin.divergence, plain_p);
        const double largest = std::abs(*std::max_element(exact_g.begin(), exact_g.end()));
        for (std::size_t c = 0; c < 3; ++c) {
          std::vector<double> exact(twin.mass.size());
          for (std::size_t n = 0; n < exact.size(); ++n) exact[n] = exact_g[3 * n + c];
          near(everywhere(exact.size(), mesh.node, static_cast<std::size_t>(mesh.own),
                          [&](std::size_t n) { return static_cast<double>(g[c][n]); }),
               exact, largest);
        }
        for (std::size_t c = 0; c < 3; ++c) {
          for (std::size_t n = 0; n < mesh.node.size(); ++n) {
            g[c][n] = static_cast<Real>(plain_v[3 * static_cast<std::size_t>(mesh.node[n]) + c]);
          }
        }
        pressure.divergence(g, to.data());
        near(of_elements(to.data()), product(twin.divergence, plain_v));
        // L p
        pressure(p.data(), to.data());
        std::vector<double> by_mass = exact_g;
        for (std::size_t i = 0; i < by_mass.size(); ++i)
          by_mass[i] = twin.fixed(i / 3) ? 0 : by_mass[i] / twin.mass[i / 3];
        near(of_elements(to.data()), product(twin.divergence, by_mass));
      }
    }
  }
}

TEST_CASE("work is what plain loops over the elements and nodes do") {
  const Box box = box_of(Kind::cavity_3d, {3, 4, 5}, 0, 0);
  const Mesh mesh = make_mesh(box, Order::natural, 1, 0, 1);
  const auto elements = make_elements<float>(box, mesh, {});
  auto inverse_mass = tenken::make_array<float>(padded_nodes<float>(mesh), "test");
  NodeSums<float> sums(MPI_COMM_SELF, mesh.shared);
  const auto of = [&](Variant variant) {
    return Pressure<float>(MPI_COMM_SELF, box, mesh, elements, variant, inverse_mass.data(), sums, 0, 1);
  };
  std::int64_t products = 0, integrals = 0, couplings = 0;
  for (std::int64_t e = 0; e < mesh.elements(); ++e) {
    const Cells at = tenken::coordinates<3>(e, box.cells);
    for (int a = 0; a < corners; ++a) {
      for (int c = 0; c < 3; ++c) ++products, ++integrals;
    }
    std::int64_t around = 1;
    for (std::size_t d = 0; d < 3; ++d) around *= 1 + (at[d] > 0 ? 1 : 0) + (at[d] + 1 < box.cells[d] ? 1 : 0);
    couplings += around;
  }
  const std::int64_t nodes = 4 * 5 * 6, count = 3 * 4 * 5;
  const tenken::Work gradient = of(Variant::gather).gradient_work(), divergence = of(Variant::gather).divergence_work();
  CHECK(gradient.flop == 2 * products + 3 * nodes);
  CHECK(gradient.bytes_read == 4 * (integrals + count + nodes));
  CHECK(gradient.bytes_written == 4 * 3 * nodes);
  CHECK(divergence.flop == 2 * products);
  CHECK(divergence.bytes_read == 4 * (integrals + 3 * nodes));
  CHECK(divergence.bytes_written == 4 * count);
  CHECK(of(Variant::scatter).gradient_work().bytes_written == 2 * gradient.bytes_written);
  CHECK(of(Variant::assembled).assembled_work().flop == 2 * couplings);
  // Products of both directions, and one with the inverse mass for each corner.
  CHECK(of(Variant::fused).fused_work().flop == 4 * products + 8 * count);
  CHECK(divergence.precision == tenken::Work::Precision::single);
}

}  // namespace
