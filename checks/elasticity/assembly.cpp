#include "assembly.hpp"

#include <vector>

#include "base/error.hpp"

namespace tenken::elasticity {

namespace {

constexpr int neighbours = 27;

// Where, of the 27 nodes around a node, another is: x fastest.
int number_around(const Node& node, const Node& other) {
  int at = 0;
  for (std::size_t d = 3; d-- > 0;) at = at * 3 + other[d] - node[d] + 1;
  return at;
}

Node moved(const Node& node, int at) { return {node[0] + at % 3 - 1, node[1] + at / 3 % 3 - 1, node[2] + at / 9 - 1}; }

// Clears what belongs to held displacements.
void hold(const Node& node, const Node& other, bool diagonal, Block3& block) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      if ((held(node, i) || held(other, j)) && !(diagonal && i == j)) block(i, j) = 0;
    }
  }
}

}  // namespace

std::vector<Node> stored_around(const Mesh& mesh, std::int64_t own) {
  const Node node = mesh.node(own);
  std::vector<Node> stored;
  for (int at = 0; at < neighbours; ++at) {
    const Node other = moved(node, at);
    if (mesh.exists(other) && mesh.item(other) >= own) stored.push_back(other);
  }
  return stored;
}

Matrix assembled(const Mesh& mesh, const Material& material) {
  const auto unit = unit_stiffness(material);
  const auto places = [&](std::int64_t own, std::vector<std::int32_t>& columns) {
    for (const Node& other : stored_around(mesh, own)) columns.push_back(mesh.item(other));
  };
  const auto fill = [&](std::int64_t own, Block3* block) {
    const Node node = mesh.node(own);
    std::array<Block3, neighbours> row{};
    mesh.for_elements_of(node, [&](const Node& lowest, int a) {
      const StiffnessRow& one =
          mesh.distorted() ? stiffness_row(mesh.element(lowest), material, a) : unit[static_cast<std::size_t>(a)];
      for (int b = 0; b < corners; ++b) {
        Block3& sum = row[static_cast<std::size_t>(number_around(node, Mesh::corner(lowest, b)))];
        for (std::size_t e = 0; e < 9; ++e) sum.at[e] += one[static_cast<std::size_t>(b)].at[e];
      }
    });
    for (const Node& other : stored_around(mesh, own)) {
      *block = row[static_cast<std::size_t>(number_around(node, other))];
      hold(node, other, other == node, *block++);
    }
  };
  return make_block_sell<double, 3>(mesh.own(), mesh.items(), native_width<double>, places, fill);
}

Buffer<double> traction(const Mesh& mesh) {
  auto load = make_array<double>(3 * mesh.own(), "the load");
  for (std::int64_t own = 0; own < mesh.own(); ++own) {
    const Node node = mesh.node(own);
    if (node[2] + 1 < mesh.nodes()[2]) continue;
    double squares = 1;
    for (std::size_t d = 0; d < 2; ++d) squares *= (node[d] > 0 ? 1 : 0) + (node[d] + 1 < mesh.nodes()[d] ? 1 : 0);
    load[static_cast<std::size_t>(3 * own + 2)] = squares / 4;
  }
  return load;
}

Buffer<Block3> inverse_diagonal(const Matrix& matrix) {
  auto inverse = make_array<Block3>(matrix.rows, "inverses of diagonal blocks");
  bool singular = false;
  share_blocks(matrix.rows, [&](Range mine) {
    for (std::int64_t i = mine.first; i < mine.last; ++i) {
      const Lu<double, 3> lu(block_at(matrix, i, i));
      if (lu.singular()) {
#pragma omp atomic write
        singular = true;
      } else {
        inverse[static_cast<std::size_t>(i)] = lu.inverse();
      }
    }
  });
  if (singular) refuse("a diagonal block of the matrix is singular; --poisson_ratio must stay away from 0.5");
  return inverse;
}

}  // namespace tenken::elasticity
