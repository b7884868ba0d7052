#include "elements.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "numerics/vectors.hpp"

namespace les {

using tenken::Buffer;
using tenken::corners;
using tenken::load;
using tenken::make_array;
using tenken::Range;
using tenken::store;
using tenken::Vec;

Integrals integrals_of(const Box& box, std::int64_t element) {
  const Cells place = tenken::coordinates<3>(element, box.cells);
  const tenken::Hexahedron shape = box.hexahedron(place);
  Integrals all;
  for (int point = 0; point < 8; ++point) {
    const tenken::Point at = tenken::gauss_point(point);
    const tenken::Gradients g = tenken::gradients(shape, at);
    if (!(g.determinant > 0)) {
      tenken::refuse("element " + std::to_string(place[0]) + "," + std::to_string(place[1]) + "," +
                     std::to_string(place[2]) + " is turned inside out by --distortion " +
                     std::to_string(box.distortion) + " and --stretch " + std::to_string(box.stretch) +
                     "; choose less of them");
    }
    all.volume += g.determinant;
    for (int a = 0; a < corners; ++a) {
      const auto corner = static_cast<std::size_t>(a);
      all.share[corner] += g.determinant * tenken::shape(a, at);
      for (std::size_t c = 0; c < 3; ++c) all.slope[corner][c] += g.determinant * g.of[corner][c];
      for (int b = 0; b <= a; ++b) {
        const tenken::Point &ga = g.of[corner], &gb = g.of[static_cast<std::size_t>(b)];
        all.stiffness[static_cast<std::size_t>(pair_of(a, b))] +=
            g.determinant * (ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2]);
      }
    }
  }
  return all;
}

template <class Real>
Elements<Real> make_elements(const Box& box, const Mesh& mesh, const std::vector<std::vector<std::int32_t>>& groups) {
  constexpr int lanes = Elements<Real>::lanes;
  Elements<Real> all;
  all.count = mesh.elements();
  std::vector<std::int32_t> of_slot;
  const auto whole_block = [&] { of_slot.resize((of_slot.size() + lanes - 1) / lanes * lanes, -1); };
  if (groups.empty()) {
    for (std::int32_t e = 0; e < all.count; ++e) of_slot.push_back(e);
    whole_block();
    all.group = {0, static_cast<std::int64_t>(of_slot.size()) / lanes};
  } else {
    all.group = {0};
    for (const std::vector<std::int32_t>& group : groups) {
      of_slot.insert(of_slot.end(), group.begin(), group.end());
      whole_block();
      all.group.push_back(static_cast<std::int64_t>(of_slot.size()) / lanes);
    }
  }
  all.blocks = all.group.back();
  all.slot.resize(static_cast<std::size_t>(all.count));
  all.slope = make_array<Real>(all.slots() * corners * 3, "gradients of shape functions");
  all.stiffness = make_array<Real>(all.slots() * pairs, "stiffness of elements");
  all.volume = make_array<Real>(all.slots(), "volumes of elements");
  all.node = make_array<std::int32_t>(all.slots() * corners, "nodes of elements");
  all.run = make_array<std::uint8_t>(all.blocks * corners, "runs of nodes");
  for (std::int64_t n = 0; n < all.slots(); ++n) {
    if (of_slot[static_cast<std::size_t>(n)] >= 0) {
      all.slot[static_cast<std::size_t>(of_slot[static_cast<std::size_t>(n)])] = static_cast<std::int32_t>(n);
    }
  }
  std::vector<std::string> wrong(static_cast<std::size_t>(omp_get_max_threads()));
  tenken::share(all.blocks, [&](Range mine) {
    try {
      for (std::int64_t n = mine.first * lanes; n < mine.last * lanes; ++n) {
        const std::int64_t block = n / lanes, lane = n % lanes;
        const std::int32_t e = of_slot[static_cast<std::size_t>(n)];
        if (e < 0) {
          all.volume.data()[n] = 1;
          const auto nowhere = static_cast<std::int32_t>(mesh.nodes());  // arrays of nodes have a place more
          for (int a = 0; a < corners; ++a) all.node.data()[(block * corners + a) * lanes + lane] = nowhere;
          continue;
        }
        const Integrals of = integrals_of(box, mesh.element[static_cast<std::size_t>(e)]);
        all.volume.data()[n] = static_cast<Real>(of.volume);
        for (int a = 0; a < corners; ++a) {
          const auto corner = static_cast<std::size_t>(a);
          all.node.data()[(block * corners + a) * lanes + lane] = mesh.at(e, a);
          for (int c = 0; c < 3; ++c) {
            all.slope.data()[((block * corners + a) * 3 + c) * lanes + lane] =
                static_cast<Real>(of.slope[corner][static_cast<std::size_t>(c)]);
          }
        }
        for (int k = 0; k < pairs; ++k) {
          all.stiffness.data()[(block * pairs + k) * lanes + lane] =
              static_cast<Real>(of.stiffness[static_cast<std::size_t>(k)]);
        }
      }
      for (std::int64_t n = mine.first * corners; n < mine.last * corners; ++n) {
        all.run.data()[n] = is_run<lanes>(all.node.data() + n * lanes);
      }
    } catch (const tenken::UserError& error) {
      wrong[static_cast<std::size_t>(omp_get_thread_num())] = error.what();
    }
  });
  for (const std::string& sentence : wrong) {
    if (!sentence.empty()) tenken::refuse(sentence);
  }
  return all;
}

template <class Real>
NodeRows<Real> make_node_rows(const Mesh& mesh, const Elements<Real>& elements) {
  constexpr int lanes = NodeRows<Real>::lanes;
  NodeRows<Real> rows;
  rows.nodes = mesh.nodes();
  rows.blocks = padded_nodes<Real>(mesh) / lanes;
  rows.slope = make_array<Real>(rows.blocks * lanes * corners * 3, "gradients of shape functions by nodes");
  rows.element = make_array<std::int32_t>(rows.blocks * lanes * corners, "elements of nodes");
  rows.run = make_array<std::uint8_t>(rows.blocks * corners, "runs of elements");
  const std::vector<std::int32_t> touching = elements_of_nodes(mesh);
  tenken::share(rows.blocks, [&](Range mine) {
    for (std::int64_t n = mine.first * corners; n < mine.last * corners; ++n) {
      const std::int64_t block = n / corners, a = n % corners;
      std::int32_t* const index = rows.element.data() + n * lanes;
      for (std::int64_t lane = 0; lane < lanes; ++lane) {
        const std::int64_t node = block * lanes + lane;
        const std::int32_t e = node < rows.nodes ? touching[static_cast<std::size_t>(node * corners + a)] : -1;
        if (e < 0) {
          index[lane] = lane > 0 ? index[lane - 1] : 0;
          continue;
        }
        const std::int32_t slot = index[lane] = elements.slot[static_cast<std::size_t>(e)];
        for (std::int64_t c = 0; c < 3; ++c) {
          rows.slope.data()[(n * 3 + c) * lanes + lane] =
              elements.slope.data()[((slot / lanes * corners + a) * 3 + c) * lanes + slot % lanes];
        }
      }
      rows.run.data()[n] = is_run<lanes>(index);
    }
  });
  return rows;
}

template <class Real>
void divergence(const Elements<Real>& elements, const Three<const Real>& v, Real* d) {
  constexpr int lanes = Elements<Real>::lanes;
  using V = Vec<Real, lanes>;
  tenken::share(elements.blocks, [&](Range mine) {
    for (std::int64_t block = mine.first; block < mine.last; ++block) {
      const Real* slope = elements.slope.data() + block * corners * 3 * lanes;
      const std::int32_t* node = elements.node.data() + block * corners * lanes;
      const std::uint8_t* const run = elements.run.data() + block * corners;
      V sum{};
      for (int a = 0; a < corners; ++a, slope += 3 * lanes, node += lanes) {
        sum += load<V>(slope) * lanes_of<V>(v[0], node, run[a]);
        sum += load<V>(slope + lanes) * lanes_of<V>(v[1], node, run[a]);
        sum += load<V>(slope + 2 * lanes) * lanes_of<V>(v[2], node, run[a]);
      }
      store(sum, d + block * lanes);
    }
  });
}

template <class Real>
void gradient_gather(const NodeRows<Real>& rows, const Real* p, const Real* scale, const Three<Real>& g) {
  constexpr int lanes = NodeRows<Real>::lanes;
  using V = Vec<Real, lanes>;
  tenken::share(rows.blocks, [&](Range mine) {
    for (std::int64_t block = mine.first; block < mine.last; ++block) {
      const Real* slope = rows.slope.data() + block * corners * 3 * lanes;
      const std::int32_t* element = rows.element.data() + block * corners * lanes;
      const std::uint8_t* const run = rows.run.data() + block * corners;
      V x{}, y{}, z{};
      for (int a = 0; a < corners; ++a, slope += 3 * lanes, element += lanes) {
        const V of = lanes_of<V>(p, element, run[a]);
        x += load<V>(slope) * of;
        y += load<V>(slope + lanes) * of;
        z += load<V>(slope + 2 * lanes) * of;
      }
      if (scale != nullptr) {
        const V by = load<V>(scale + block * lanes);
        x *= by, y *= by, z *= by;
      }
      store(x, g[0] + block * lanes);
      store(y, g[1] + block * lanes);
      store(z, g[2] + block * lanes);
    }
  });
}

template <class Real>
void gradient_scatter(const Elements<Real>& elements, std::int64_t nodes, const Real* p, const Real* scale,
                      const Three<Real>& g) {
  constexpr int lanes = Elements<Real>::lanes;
  using V = Vec<Real, lanes>;
#pragma omp parallel
  {
    for (Real* const of : g) tenken::fill(nodes, Real{0}, of);
#pragma omp barrier
    for (std::size_t colour = 0; colour + 1 < elements.group.size(); ++colour) {
      const std::int64_t first = elements.group[colour];
      tenken::share(elements.group[colour + 1] - first, [&](Range mine) {
        for (std::int64_t block = first + mine.first; block < first + mine.last; ++block) {
          const Real* slope = elements.slope.data() + block * corners * 3 * lanes;
          const std::int32_t* node = elements.node.data() + block * corners * lanes;
          const V of = load<V>(p + block * lanes);
          // Four corners are read before one is written: elements of a block have no node in common, and only where a
          // box is one element deep do both ends of an element in z.
          for (int half = 0; half < 2; ++half, node += corners / 2 * lanes) {
            V sums[corners / 2][3];
            for (int a = 0; a < corners / 2; ++a) {
              for (std::size_t c = 0; c < 3; ++c, slope += lanes) {
                sums[a][c] = lanes_of<V>(g[c], node + a * lanes, 0) + load<V>(slope) * of;
              }
            }
            for (int a = 0; a < corners / 2; ++a) {
              for (std::size_t c = 0; c < 3; ++c) {
                for (int l = 0; l < lanes; ++l) g[c][node[a * lanes + l]] = sums[a][c][static_cast<std::size_t>(l)];
              }
            }
          }
        }
      });
#pragma omp barrier
    }
    if (scale != nullptr) {
      tenken::share_blocks(nodes, [&](Range mine) {
        for (Real* const of : g) {
#pragma omp simd
          for (std::int64_t n = mine.first; n < mine.last; ++n) of[n] *= scale[n];
        }
      });
    }
  }
}

#define LES_INSTANTIATE(Real)                                                                                    \
  template Elements<Real> make_elements(const Box&, const Mesh&, const std::vector<std::vector<std::int32_t>>&); \
  template NodeRows<Real> make_node_rows(const Mesh&, const Elements<Real>&);                                    \
  template void divergence(const Elements<Real>&, const Three<const Real>&, Real*);                              \
  template void gradient_gather(const NodeRows<Real>&, const Real*, const Real*, const Three<Real>&);            \
  template void gradient_scatter(const Elements<Real>&, std::int64_t, const Real*, const Real*, const Three<Real>&);
LES_INSTANTIATE(float)
LES_INSTANTIATE(double)
#undef LES_INSTANTIATE

}  // namespace les
