#include "fused.hpp"

#include <omp.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"

namespace les {

using tenken::corners;
using tenken::load;
using tenken::Range;
using tenken::store;
using tenken::Vec;

template <class Real>
Fused<Real>::Fused(const Mesh& mesh, const Elements<Real>& elements)
    : elements_(elements), threads_(1), nodes_(mesh.nodes()), length_(padded_nodes<Real>(mesh)) {
#pragma omp parallel
#pragma omp single
  threads_ = omp_get_num_threads();
  const std::int64_t per_block = corners * lanes;
  const auto nodes_of = [&](std::int64_t block) { return elements.node.data() + block * per_block; };
  // Which thread touches a node; -2 where there are several, or ranks share it.
  constexpr int nobody = -1, several = -2;
  std::vector<int> thread_of(static_cast<std::size_t>(nodes_) + 1, nobody);
  for (const tenken::Neighbour& neighbour : mesh.shared.neighbours) {
    for (const std::int32_t node : neighbour.send) thread_of[static_cast<std::size_t>(node)] = several;
  }
  for (int thread = 0; thread < threads_; ++thread) {
    const Range mine = tenken::share_of(elements.blocks, thread, threads_);
    for (std::int64_t i = mine.first * per_block; i < mine.last * per_block; ++i) {
      int& of = thread_of[static_cast<std::size_t>(elements.node.data()[i])];
      if (of != thread) of = of == nobody ? thread : several;
    }
  }
  thread_of.back() = nobody;  // of empty lanes

  early_.assign(static_cast<std::size_t>(elements.blocks), -1);
  std::map<std::int32_t, std::vector<std::int32_t>> places;  // of each shared node, by thread
  std::int32_t early = 0;
  for (int thread = 0; thread < threads_; ++thread) {
    std::map<std::int32_t, std::int32_t> mine;  // places of this thread
    const Range blocks = tenken::share_of(elements.blocks, thread, threads_);
    for (std::int64_t block = blocks.first; block < blocks.last; ++block) {
      const std::int32_t* const node = nodes_of(block);
      if (std::none_of(node, node + per_block,
                       [&](std::int32_t n) { return thread_of[static_cast<std::size_t>(n)] == several; })) {
        continue;
      }
      early_[static_cast<std::size_t>(block)] = early++;
      for (std::int64_t i = 0; i < per_block; ++i) {
        if (thread_of[static_cast<std::size_t>(node[i])] != several) {
          node_.push_back(node[i]);
          continue;
        }
        const auto [at, added] = mine.try_emplace(node[i], static_cast<std::int32_t>(length_));
        if (added) {
          places[node[i]].push_back(at->second);
          ++length_;
        }
        node_.push_back(at->second);
      }
    }
  }
  for (std::size_t i = 0; i < node_.size(); i += lanes) run_.push_back(is_run<lanes>(node_.data() + i));
  for (const auto& [node, of] : places) {
    const auto first = static_cast<std::int64_t>(places_.size());
    places_.insert(places_.end(), of.begin(), of.end());
    sums_.push_back({node, first, static_cast<std::int64_t>(places_.size())});
  }

  std::vector<std::int64_t> last(static_cast<std::size_t>(nodes_) + 1, -1);  // block that adds to a node
  for (std::int64_t block = 0; block < elements.blocks; ++block) {
    if (early_[static_cast<std::size_t>(block)] >= 0) continue;
    for (std::int64_t i = 0; i < per_block; ++i) last[static_cast<std::size_t>(nodes_of(block)[i])] = block;
  }
  last.back() = -1;
  for (std::int64_t block = 0; block < elements.blocks; ++block) {
    std::int64_t ready = -1;
    for (std::int64_t i = 0; i < per_block; ++i) {
      ready = std::max(ready, last[static_cast<std::size_t>(nodes_of(block)[i])]);
    }
    ready_.push_back(ready);
  }
}

template <class Real>
double Fused<Real>::twice_share() const {
  return static_cast<double>(node_.size()) / static_cast<double>(elements_.slots() * corners);
}

// Adds G p of a block to its nodes. Lanes of a corner have different nodes.
template <class Real>
void Fused<Real>::add(std::int64_t block, const std::int32_t* node, const std::uint8_t* run, const Real* p,
                      const Three<Real>& g) {
  using V = Vec<Real, lanes>;
  const Real* slope = elements_.slope.data() + block * corners * 3 * lanes;
  const V of = load<V>(p + block * lanes);
  for (int a = 0; a < corners; ++a, node += lanes) {
    for (std::size_t c = 0; c < 3; ++c, slope += lanes) {
      const V sum = lanes_of<V>(g[c], node, run[a]) + load<V>(slope) * of;
      if (run[a] != 0) {
        store(sum, g[c] + node[0]);
      } else {
        for (int l = 0; l < lanes; ++l) g[c][node[l]] = sum[l];
      }
    }
  }
}

template <class Real>
void Fused<Real>::begin(const Real* p, const Three<Real>& g) {
#pragma omp parallel
  {
    for (Real* const of : g) {
      tenken::share(length_, [&](Range mine) { std::fill(of + mine.first, of + mine.last, Real{0}); });
    }
#pragma omp barrier
    tenken::share(elements_.blocks, [&](Range mine) {
      for (std::int64_t block = mine.first; block < mine.last; ++block) {
        const std::int64_t early = early_[static_cast<std::size_t>(block)];
        if (early >= 0) add(block, node_.data() + early * corners * lanes, run_.data() + early * corners, p, g);
      }
    });
#pragma omp barrier
    tenken::share(static_cast<std::int64_t>(sums_.size()), [&](Range mine) {
      for (std::int64_t i = mine.first; i < mine.last; ++i) {
        const Sum& sum = sums_[static_cast<std::size_t>(i)];
        for (Real* const of : g) {
          Real all = 0;
          for (std::int64_t k = sum.first; k < sum.last; ++k) all += of[places_[static_cast<std::size_t>(k)]];
          of[sum.node] = all;
        }
      }
    });
  }
}

template <class Real>
void Fused<Real>::finish(const Real* p, const Real* scale, const Three<Real>& g, Real* d) {
  using V = Vec<Real, lanes>;
  const auto divergence_of = [&](std::int64_t block) {
    const Real* slope = elements_.slope.data() + block * corners * 3 * lanes;
    const std::int32_t* node = elements_.node.data() + block * corners * lanes;
    const std::uint8_t* const run = elements_.run.data() + block * corners;
    V sum{};
    for (int a = 0; a < corners; ++a, slope += 3 * lanes, node += lanes) {
      const V of = load<V>(slope) * lanes_of<V>(g[0], node, run[a]) +
                   load<V>(slope + lanes) * lanes_of<V>(g[1], node, run[a]) +
                   load<V>(slope + 2 * lanes) * lanes_of<V>(g[2], node, run[a]);
      sum += of * lanes_of<V>(scale, node, run[a]);
    }
    store(sum, d + block * lanes);
  };
  tenken::share(elements_.blocks, [&](Range mine) {
    std::int64_t next = mine.first;
    for (std::int64_t block = mine.first; block < mine.last; ++block) {
      if (early_[static_cast<std::size_t>(block)] < 0) {
        add(block, elements_.node.data() + block * corners * lanes, elements_.run.data() + block * corners, p, g);
      }
      while (next < mine.last && ready_[static_cast<std::size_t>(next)] <= block) divergence_of(next++);
    }
  });
}

template class Fused<float>;
template class Fused<double>;

}  // namespace les
