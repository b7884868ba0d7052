#include "mesh.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "numerics/ordering.hpp"

namespace les {

using tenken::corners;

namespace {

// Ranks that have an element at a node, ascending.
std::vector<int> ranks_at(const Box& box, const Cells& node, int ranks) {
  std::vector<int> all;
  for (int a = 0; a < corners; ++a) {
    Cells element;
    if (box.element_at(node, a, element)) all.push_back(owner_of(box, element, ranks));
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

template <class Values>
Values picked(const Values& values, const std::vector<std::int32_t>& order) {
  Values all;
  all.reserve(order.size());
  for (const std::int32_t i : order) all.push_back(values[static_cast<std::size_t>(i)]);
  return all;
}

// Places in an order: place[order[i]] = i.
std::vector<std::int32_t> inverse(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    place[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  return place;
}

std::vector<std::int32_t> counted(std::size_t n) {
  std::vector<std::int32_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

template <class Key>
std::vector<std::int32_t> sorted_by(std::size_t n, const Key& key) {
  std::vector<std::int32_t> order = counted(n);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t i, std::int32_t j) { return key(i) < key(j); });
  return order;
}

// Nodes that an element shares with each node.
tenken::Csr<double> graph_of(const Mesh& mesh) {
  std::vector<std::vector<std::int32_t>> touched(mesh.node.size());
  for (std::int64_t e = 0; e < mesh.elements(); ++e) {
    for (int a = 0; a < corners; ++a) {
      auto& row = touched[static_cast<std::size_t>(mesh.at(e, a))];
      for (int b = 0; b < corners; ++b) row.push_back(mesh.at(e, b));
    }
  }
  for (auto& row : touched) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return tenken::make_csr<double>(
      mesh.nodes(), mesh.nodes(),
      [&](std::int64_t i) { return static_cast<std::int64_t>(touched[static_cast<std::size_t>(i)].size()); },
      [&](std::int64_t i, std::int32_t* column, double* value) {
        const auto& row = touched[static_cast<std::size_t>(i)];
        std::copy(row.begin(), row.end(), column);
        std::fill_n(value, row.size(), 1.0);
      });
}

// Elements in the order of the box and their different nodes, ascending.
Mesh natural_mesh(const Box& box, int rank, int ranks) {
  Mesh mesh;
  const Block block = block_of(box, rank, ranks);
  const Cells extents = block.extents();
  std::vector<std::int64_t> all;
  for (std::int64_t n = 0; n < tenken::product<3>(extents); ++n) {
    Cells element = tenken::coordinates<3>(n, extents);
    for (std::size_t d = 0; d < 3; ++d) element[d] += block.first[d];
    mesh.element.push_back(box.element_number(element));
    for (int a = 0; a < corners; ++a) all.push_back(box.node_number(box.node_of(element, a)));
  }
  mesh.node = all;
  std::sort(mesh.node.begin(), mesh.node.end());
  mesh.node.erase(std::unique(mesh.node.begin(), mesh.node.end()), mesh.node.end());
  if (mesh.node.size() > std::size_t{tenken::most_rows}) {
    tenken::refuse("a rank has " + std::to_string(mesh.node.size()) + " nodes, more than 2^31 - 1; start more ranks");
  }
  for (const std::int64_t number : all) {
    const auto found = std::lower_bound(mesh.node.begin(), mesh.node.end(), number);
    mesh.corner.push_back(static_cast<std::int32_t>(found - mesh.node.begin()));
  }
  return mesh;
}

void renumber_nodes(Mesh& mesh, const std::vector<std::int32_t>& order) {
  const std::vector<std::int32_t> place = inverse(order);
  mesh.node = picked(mesh.node, order);
  for (std::int32_t& node : mesh.corner) node = place[static_cast<std::size_t>(node)];
}

void renumber_elements(Mesh& mesh, const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> corner;
  corner.reserve(mesh.corner.size());
  for (const std::int32_t e : order) {
    for (int a = 0; a < corners; ++a) corner.push_back(mesh.at(e, a));
  }
  mesh.element = picked(mesh.element, order);
  mesh.corner = std::move(corner);
}

}  // namespace

Mesh make_mesh(const Box& box, Order order, std::uint64_t seed, int rank, int ranks) {
  Mesh mesh = natural_mesh(box, rank, ranks);
  if (order == Order::random) {
    const tenken::RandomStream nodes(seed, 1), elements(seed, 2);
    renumber_nodes(mesh, sorted_by(mesh.node.size(), [&](std::int32_t i) {
                     return nodes.bits(static_cast<std::uint64_t>(mesh.node[static_cast<std::size_t>(i)]));
                   }));
    renumber_elements(mesh, sorted_by(mesh.element.size(), [&](std::int32_t e) {
                        return elements.bits(static_cast<std::uint64_t>(mesh.element[static_cast<std::size_t>(e)]));
                      }));
  }
  if (order == Order::rcm) renumber_nodes(mesh, tenken::reverse_cuthill_mckee(graph_of(mesh)).order);

  // Those of this rank first; the others are shared.
  std::map<int, std::vector<std::int32_t>> shared;
  std::vector<int> owner(mesh.node.size(), rank);
  for (std::size_t n = 0; ranks > 1 && n < mesh.node.size(); ++n) {
    const std::vector<int> all = ranks_at(box, tenken::coordinates<3>(mesh.node[n], box.nodes()), ranks);
    owner[n] = all.front();
    for (const int other : all) {
      if (other != rank) shared[other].push_back(static_cast<std::int32_t>(n));
    }
  }
  const std::vector<std::int32_t> groups =
      sorted_by(mesh.node.size(), [&](std::int32_t n) { return owner[static_cast<std::size_t>(n)] == rank ? 0 : 1; });
  const std::vector<std::int32_t> place = inverse(groups);
  renumber_nodes(mesh, groups);
  mesh.own = std::count(owner.begin(), owner.end(), rank);
  mesh.shared.items = mesh.nodes();
  for (auto& [other, nodes] : shared) {
    for (std::int32_t& n : nodes) n = place[static_cast<std::size_t>(n)];
    const auto by_box = [&](std::int32_t i, std::int32_t j) {
      return mesh.node[static_cast<std::size_t>(i)] < mesh.node[static_cast<std::size_t>(j)];
    };
    std::sort(nodes.begin(), nodes.end(), by_box);
    mesh.shared.neighbours.push_back({other, nodes, nodes});
  }
  if (order == Order::rcm) {
    renumber_elements(mesh, sorted_by(mesh.element.size(), [&](std::int32_t e) {
                        const auto first = mesh.corner.begin() + static_cast<std::ptrdiff_t>(e) * corners;
                        return *std::min_element(first, first + corners);
                      }));
  }
  return mesh;
}

double mesh_bytes(std::int64_t elements) { return static_cast<double>(elements) * (8 + 8 + 4 * 8 + 8 * 8 + 4 * 8); }

std::vector<std::vector<std::int32_t>> element_colours(const Mesh& mesh) {
  std::vector<std::uint64_t> used(mesh.node.size());  // a bit a colour; a node of a hexahedral box has eight elements
  std::vector<std::vector<std::int32_t>> colours;
  for (std::int64_t e = 0; e < mesh.elements(); ++e) {
    std::uint64_t taken = 0;
    for (int a = 0; a < corners; ++a) taken |= used[static_cast<std::size_t>(mesh.at(e, a))];
    const auto colour = static_cast<std::size_t>(std::countr_one(taken));
    for (int a = 0; a < corners; ++a) used[static_cast<std::size_t>(mesh.at(e, a))] |= std::uint64_t{1} << colour;
    if (colour >= colours.size()) colours.resize(colour + 1);
    colours[colour].push_back(static_cast<std::int32_t>(e));
  }
  return colours;
}

std::vector<std::int32_t> elements_of_nodes(const Mesh& mesh) {
  std::vector<std::int32_t> all(mesh.node.size() * corners, -1);
  for (std::int64_t e = 0; e < mesh.elements(); ++e) {
    for (int a = 0; a < corners; ++a) {
      all[static_cast<std::size_t>(mesh.at(e, a)) * corners + static_cast<std::size_t>(a)] =
          static_cast<std::int32_t>(e);
    }
  }
  return all;
}

}  // namespace les
