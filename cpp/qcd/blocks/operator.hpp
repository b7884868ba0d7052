// The clover operator on blocks in vectors, with its diagonal divided out:
//
//   D' = T^-1 D = 1 - kappa T^-1 (H_block + H_between)
//
// H_block are the hops inside blocks, H_between those from block to block, by way of ghosts (layout.hpp). Ghosts of the
// same rank are filled in place, others by messages: one exchange for each colour of block.
#pragma once

#include <mpi.h>
#include <omp.h>

#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "measure/section.hpp"
#include "parallel/requests.hpp"
#include "qcd/blocks/layout.hpp"
#include "qcd/blocks/sections.hpp"
#include "qcd/clover.hpp"
#include "qcd/lanes/hop.hpp"
#include "qcd/work.hpp"

namespace tenken::qcd {

namespace detail {

// Calls work(mu, way) with both as constants, for a hop known at run time.
template <class Work>
void with_hop(int hop, Work work) {
  const auto of_direction = [&](auto mu) {
    if (hop % 2 == 0) return work(mu, std::integral_constant<Way, Way::forward>{});
    work(mu, std::integral_constant<Way, Way::backward>{});
  };
  switch (hop / 2) {
    case 0:
      return of_direction(std::integral_constant<int, 0>{});
    case 1:
      return of_direction(std::integral_constant<int, 1>{});
    case 2:
      return of_direction(std::integral_constant<int, 2>{});
    default:
      return of_direction(std::integral_constant<int, 3>{});
  }
}

// Adds what one hop gives, links in t being doubled.
template <int mu, Way way, class V>
void add_half(LaneSpinor<V>& sum, const BasicHalf<V>& h) {
  for (int c = 0; c < colours; ++c) {
    for (int s = 0; s < 2; ++s) {
      if constexpr (mu == 3) {
        Complex<V>& to = sum.at[way == Way::forward ? 1 : 0][c][s];
        to = to + h.at[s][c];
      } else {
        Complex<V>& upper = sum.at[0][c][s];
        Complex<V>& lower = sum.at[1][c][s];
        const Complex<V> turned = i_sigma<mu>(h.at[0][c], h.at[1][c], s);
        upper = upper + h.at[s][c];
        lower = way == Way::forward ? lower - turned : lower + turned;
      }
    }
  }
}

}  // namespace detail

// A site's inverse blocks in lanes, halved, which the change of basis asks for.
template <class V>
struct LaneClover {
  BasicCloverBlock<V> block[2];
};

// out = T^-1 in of one vector of sites.
template <class V>
TENKEN_INLINE void lane_clover_times(const LaneClover<V>& site, const LaneSpinor<V>& in, LaneSpinor<V>& out) {
  Complex<V> chiral[2][block_size], product[2][block_size];
  TENKEN_UNROLL
  for (int c = 0; c < colours; ++c) {
    TENKEN_UNROLL
    for (int s = 0; s < 2; ++s) {
      chiral[0][colours * s + c] = in.at[0][c][s] + in.at[1][c][s];
      chiral[1][colours * s + c] = in.at[0][c][s] - in.at[1][c][s];
    }
  }
  TENKEN_UNROLL
  for (int n = 0; n < 2; ++n) {
    const BasicCloverBlock<V>& b = site.block[n];
    TENKEN_UNROLL
    for (int i = 0; i < block_size; ++i) {
      Complex<V> sum{b.diagonal[i] * chiral[n][i].re, b.diagonal[i] * chiral[n][i].im};
      TENKEN_UNROLL
      for (int j = 0; j < block_size; ++j) {
        if (j == i) continue;
        const Complex<V>& e = b.below[j < i ? packed(i, j) : packed(j, i)];
        sum = j < i ? plus_product(sum, e, chiral[n][j]) : plus_conj_product(sum, e, chiral[n][j]);
      }
      product[n][i] = sum;
    }
  }
  TENKEN_UNROLL
  for (int c = 0; c < colours; ++c) {
    TENKEN_UNROLL
    for (int s = 0; s < 2; ++s) {
      out.at[0][c][s] = product[0][colours * s + c] + product[1][colours * s + c];
      out.at[1][c][s] = product[0][colours * s + c] - product[1][colours * s + c];
    }
  }
}

// What a thread spent in one kind of kernel, and the work of that.
struct Spent {
  std::int64_t ticks = 0;
  Work work;

  template <class Action>
  void on(const Work& more, Action action) {
    const std::int64_t begin = ticks_now();
    action();
    ticks += ticks_now() - begin;
    add(more);
  }
  void add(const Work& more) {
    work.flop += more.flop;
    work.bytes_read += more.bytes_read;
    work.bytes_written += more.bytes_written;
    work.precision = more.precision;
  }
};
struct alignas(64) ThreadTimes {
  Spent hops, inverse, combine;
};

template <class Real_, int width_>
class BlockOperator {
 public:
  using Real = Real_;
  static constexpr int width = width_;
  using V = Vec<Real, width>;
  using Spin = LaneSpinor<V>;
  using Vector = Buffer<Spin>;  // BlockLayout::all_vectors of them

  // `inverse`: T^-1 by local site, null where T = 1. All stay with the caller but `links`, whose halo must be filled.
  // Collective.
  BlockOperator(MPI_Comm comm, const BlockLayout& layout, const ExtendedLinks& links, const CloverField* inverse,
                double kappa, const BlockSections& sections, BlockFaults faults);

  const BlockLayout& layout() const { return layout_; }
  const BlockSections& sections() const { return sections_; }
  const BlockFaults& faults() const { return faults_; }
  Real kappa() const { return kappa_; }
  MPI_Comm comm() const { return comm_; }
  Vector make() const;

  // Between plain fields and vectors, times `factor`.
  void take(const Field& from, double factor, Vector& to) const;
  void give(const Vector& from, double factor, Field& to) const;

  // x = T^-1 x
  void divide(Vector& x) const;

  // out = H_block in of one group at the vectors of `parity`, from those of the other. Pointers to the first of them.
  void hops(int group, int parity, Spin* out, const Spin* in) const;

  // out = base + factor T^-1 hopped, of one group and parity; `out` may be `base`.
  void combine(int group, int parity, Spin* out, const Spin* base, Real factor, const Spin* hopped) const;

  // r += factor T^-1 H_between of the ghosts of one group. `scratch`: vectors() of them.
  void add_ghosts(int group, Vector& r, Real factor, Spin* scratch) const;

  // Fills what neighbours of one group need of x: on this rank, or what is to be sent.
  void fill_neighbours(int group, const Vector& x);
  void fill_messages(int group, const Vector& x);
  bool divided() const { return layout_.geometry().divided(); }
  void start(int colour) {
    requests_[static_cast<std::size_t>(colour)]->start();
    sent_bytes_ += message_bytes(colour);
  }
  std::int64_t sent_bytes() const { return sent_bytes_; }  // by this rank, so far
  void wait(int colour);                                   // and unpacks
  std::int64_t messages(int colour) const { return requests_[static_cast<std::size_t>(colour)]->messages(); }
  std::int64_t message_bytes(int colour) const { return requests_[static_cast<std::size_t>(colour)]->bytes(); }

  // out = D' in. Collective.
  void apply(Vector& out, const Vector& in);

  // Work of a group and parity, which counts the hops inside of blocks only, or of all sites of a colour.
  Work hops_work(int group) const;
  Work inverse_work(int group) const;
  Work faces_work(int colour) const;

  // each(group, scratch of this thread, its times) for the groups from `first` on, in parallel; then the samples of the
  // sections `hops`, `inverse` and `combine`, each the mean over the threads.
  template <class Each>
  void for_groups(int first, int last, Each each);

  Spin* at(Vector& x, int group, int parity) const { return &x[layout_.vector_at(group, parity, 0)]; }
  const Spin* at(const Vector& x, int group, int parity) const { return &x[layout_.vector_at(group, parity, 0)]; }

 private:
  static constexpr std::int64_t nowhere = std::numeric_limits<std::int64_t>::min();

  template <bool remote>
  void fill(int group, const Vector& x);
  void find_targets();
  void report(Leaf section, Spent ThreadTimes::*kind) const;

  MPI_Comm comm_;
  const BlockLayout& layout_;
  BlockSections sections_;
  BlockFaults faults_;
  Real kappa_;
  bool clover_;
  Buffer<StoredLink<V, colours>> inner_;  // eight of each vector, zero where the hop leaves its block
  Buffer<StoredLink<V, colours>> outer_;  // of each ghost, zero in other lanes
  Buffer<LaneClover<V>> inverse_;
  Buffer<BasicHalf<V>> ghosts_;
  // Of each rim vector and lane, where its half-spinor goes: first number in ghosts_ or, -1 - n, in the message.
  std::vector<std::int64_t> targets_;
  std::vector<std::array<bool, 2>> reaches_;  // of each group, parity and hop: neighbours here, elsewhere
  std::array<std::vector<Real>, block_colours> outgoing_, incoming_;
  std::array<std::vector<std::int64_t>, block_colours> arrivals_;  // in ghosts_, of each half-spinor of the message
  std::array<std::unique_ptr<Requests>, block_colours> requests_;
  std::int64_t sent_bytes_ = 0;
  std::vector<Vector> scratch_;     // of each thread
  std::vector<ThreadTimes> times_;  // likewise
};

// Vectors of scratch that each thread has, in numbers of vectors().
constexpr int scratch_fields = 6;

}  // namespace tenken::qcd
