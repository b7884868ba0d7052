// Integrals of the elements and the pair of operators between nodes and elements.
//
// With shape functions N_a of an element, G_a = integral of grad N_a over the element. Velocity lives at nodes,
// pressure is constant in an element (Q1-P0):
//   divergence  d_e = sum over corners of G_ea . v_node(e,a), the integral of div v over element e
//   gradient    g_n = sum over elements of G_ea p_e, the transpose of it: minus the integral of grad p against N_n
//
// Arrays are stored in blocks of as many elements (nodes) as a vector has lanes, lane fastest. Elements are in groups
// (colours) that blocks do not cross; `slot` of an element is its place in such arrays. Empty lanes have integrals of
// 0.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh.hpp"
#include "numerics/team.hpp"
#include "simd/vec.hpp"

namespace les {

constexpr int pairs = 36;  // of two corners, in any order
constexpr int pair_of(int a, int b) { return a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a; }

// Of one element, in double precision.
struct Integrals {
  std::array<tenken::Point, tenken::corners> slope{};  // G_a
  std::array<double, tenken::corners> share{};         // integral of N_a
  std::array<double, pairs> stiffness{};               // integral of grad N_a . grad N_b
  double volume = 0;
};
// By two Gauss points a direction: exact for G, N and the volume of any hexahedron, for the stiffness of boxes. Throws
// UserError (refused) naming the element where its map turns inside out.
Integrals integrals_of(const Box& box, std::int64_t element);

template <class Real>
struct Elements {
  static constexpr int lanes = tenken::native_width<Real>;

  std::int64_t count = 0, blocks = 0;
  std::vector<std::int64_t> group;    // where each group of blocks begins, and the end
  std::vector<std::int32_t> slot;     // of an element of the mesh
  tenken::Buffer<Real> slope;         // [block][corner][x, y, z][lane]
  tenken::Buffer<Real> stiffness;     // [block][pair][lane]
  tenken::Buffer<Real> volume;        // [block][lane]; 1 in empty lanes
  tenken::Buffer<std::int32_t> node;  // [block][corner][lane]
  tenken::Buffer<std::uint8_t> run;   // [block][corner]: the nodes of all lanes follow each other

  std::int64_t slots() const { return blocks * lanes; }
};
// `groups`: elements of each group; one group of all where it is empty.
template <class Real>
Elements<Real> make_elements(const Box& box, const Mesh& mesh, const std::vector<std::vector<std::int32_t>>& groups);

// The same integrals by nodes, for gradients that each node gathers.
template <class Real>
struct NodeRows {
  static constexpr int lanes = tenken::native_width<Real>;

  std::int64_t nodes = 0, blocks = 0;
  tenken::Buffer<Real> slope;  // [block][corner][x, y, z][lane]: of the element that has the node as this corner
  tenken::Buffer<std::int32_t> element;  // [block][corner][lane]: its slot
  tenken::Buffer<std::uint8_t> run;      // [block][corner]
};
template <class Real>
NodeRows<Real> make_node_rows(const Mesh& mesh, const Elements<Real>& elements);

// Length of arrays of nodes: whole blocks, with at least one place more, which empty lanes of elements name.
template <class Real>
std::int64_t padded_nodes(const Mesh& mesh) {
  constexpr std::int64_t lanes = tenken::native_width<Real>;
  return (mesh.nodes() + lanes) / lanes * lanes;
}

// Whether lanes follow each other, so that a load does in place of a gather.
template <int lanes>
std::uint8_t is_run(const std::int32_t* index) {
  for (int l = 1; l < lanes; ++l) {
    if (index[l] != index[0] + l) return 0;
  }
  return 1;
}
template <class V, class Real>
TENKEN_INLINE V lanes_of(const Real* x, const std::int32_t* index, std::uint8_t run) {
  if (run != 0) return tenken::load<V>(x + index[0]);
  V v;
  for (std::size_t l = 0; l < sizeof(V) / sizeof(Real); ++l) v[l] = x[index[l]];
  return v;
}

template <class Real>
using Three = std::array<Real*, 3>;  // x, y and z of a field of nodes

// All on every thread of the team, or outside of a parallel region (numerics/team.hpp). `scale`: of each node, or null.
template <class Real>
void divergence(const Elements<Real>& elements, const Three<const Real>& v, Real* d);
template <class Real>
void gradient_gather(const NodeRows<Real>& rows, const Real* p, const Real* scale, const Three<Real>& g);
// Element after element in the groups, which must be colours. Opens a parallel region of its own.
template <class Real>
void gradient_scatter(const Elements<Real>& elements, std::int64_t nodes, const Real* p, const Real* scale,
                      const Three<Real>& g);

}  // namespace les
