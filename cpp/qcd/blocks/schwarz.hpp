// The Schwarz alternating procedure (Luescher, Comput. Phys. Commun. 156 (2004) 209): blocks of one colour are solved
// for the residual at hand while those of the other stand still, then the other colour. The residual is followed:
//
//   for each cycle and colour:  d = about D'_block^-1 r on its blocks;  z += d;  r -= D' d
//
// so that in the end r = (what it was) - D' z, without another D'. After a colour only faces of its blocks that lie on
// the border of the rank are sent, at once, and waited for before the other colour needs them.
//
// A block is solved even-odd, in steps of
// - ssor: symmetric Gauss-Seidel with relaxation parameter 1 in the order even, odd, where the second odd half step and
//   the next first even one change nothing and are left out: d_e = r_e + kappa T^-1 H d_o, d_o = r_o + kappa T^-1 H d_e
// - minres: minimal residual on the odd sites, S = 1 - kappa^2 T^-1 H T^-1 H: a = <S q, q> / |S q|^2, d_o += a q,
//   q -= a S q; of each block, so that the answer does not depend on what is beside it in a vector.
// After either the residual of even sites is 0.
#pragma once

#include "qcd/blocks/operator.hpp"

namespace tenken::qcd {

enum class BlockSolver { ssor, minres };

struct SchwarzOptions {
  BlockSolver solver = BlockSolver::ssor;
  int steps = 4;
  int cycles = 1;
};

template <class Operator>
class Schwarz {
 public:
  using Real = typename Operator::Real;
  using V = typename Operator::V;
  using Spin = typename Operator::Spin;
  using Vector = typename Operator::Vector;

  // The operator stays with the caller.
  Schwarz(Operator& op, const SchwarzOptions& options) : op_(op), options_(options), d_(op.make()) {}

  const SchwarzOptions& options() const { return options_; }

  // z = M r, and r becomes r - D' z. Collective.
  void apply(Vector& z, Vector& r) {
    const BlockLayout& layout = op_.layout();
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < z.size(); ++i) z[i] = {};
    for (int turn = 0; turn < block_colours * options_.cycles; ++turn) {
      const int colour = turn % block_colours;
      if (turn > 0) receive(1 - colour, r);
      const int first = layout.first_group(colour), last = layout.first_group(colour + 1);
      const bool late = op_.faults().wrong_colour && layout.first_group(1) > 0;
      {
        const Section sweep{op_.sections().sweep};
        if (late && colour == 1) solve(0, 1, z, r);
        solve(late && colour == 0 ? 1 : first, last, z, r);
      }
      const auto neighbours = [&](int group, Spin*, ThreadTimes&) { op_.fill_neighbours(group, d_); };
      if (op_.divided()) {
        const Section send{op_.sections().send,
                           {.bytes_read = op_.message_bytes(colour),
                            .bytes_written = op_.message_bytes(colour),
                            .messages = op_.messages(colour)}};
        op_.for_groups(first, last, [&](int group, Spin*, ThreadTimes&) { op_.fill_messages(group, d_); });
        op_.start(colour);
      }
      const Section faces{op_.sections().faces};
      if (late && colour == 1) op_.for_groups(0, 1, neighbours);
      op_.for_groups(late && colour == 0 ? 1 : first, last, neighbours);
    }
    receive(1, r);
  }

  // Of one group: z += d, d = about D'_block^-1 r, and r the residual of that.
  void solve_group(int group, Vector& z, Vector& r, Spin* scratch, ThreadTimes& times) {
    const auto n = static_cast<std::size_t>(op_.layout().vectors());
    Spin *const even = op_.at(d_, group, 0), *const odd = op_.at(d_, group, 1);
    Spin *const r_even = op_.at(r, group, 0), *const r_odd = op_.at(r, group, 1);
    const Timer timer{op_, group, times};
    if (options_.solver == BlockSolver::ssor) {
      copy(r_even, even, n);
      for (int step = 0; step < options_.steps; ++step) {
        timer.gauss_seidel(1, odd, r_odd, even, scratch);
        timer.gauss_seidel(0, even, r_even, odd, scratch);
      }
      timer.gauss_seidel(1, r_odd, r_odd, even, scratch);
      timer.combined(1, [&] { subtract(r_odd, odd, n); });
    } else {
      minres(timer, even, odd, r_even, r_odd, scratch, n);
    }
    timer.combined(2, [&] {
      for (std::size_t v = 0; v < n; ++v) r_even[v] = {};
      add(op_.at(z, group, 0), even, n);
      add(op_.at(z, group, 1), odd, n);
    });
  }

 private:
  using Numbers = std::array<Real, static_cast<std::size_t>(Operator::width)>;

  struct Timer {
    Operator& op;
    int group;
    ThreadTimes& times;

    // out = base + kappa T^-1 H in at vectors of `parity`
    void gauss_seidel(int parity, Spin* out, const Spin* base, const Spin* in, Spin* scratch) const {
      times.hops.on(op.hops_work(group), [&] { op.hops(group, parity, scratch, in); });
      times.inverse.on(op.inverse_work(group), [&] { op.combine(group, parity, out, base, op.kappa(), scratch); });
    }
    // `flop` for each number of a site of one parity.
    template <class Action>
    void combined(int flop, Action action) const {
      const Work moved = op.inverse_work(group);
      times.combine.on(
          {.flop = flop * moved.bytes_written / static_cast<std::int64_t>(sizeof(Real)), .precision = moved.precision},
          action);
    }
  };

  static V* numbers(Spin* x) { return reinterpret_cast<V*>(x); }
  static const V* numbers(const Spin* x) { return reinterpret_cast<const V*>(x); }
  static void copy(const Spin* from, Spin* to, std::size_t n) {
    std::memcpy(static_cast<void*>(to), from, n * sizeof(Spin));
  }
  static void add(Spin* y, const Spin* x, std::size_t n) {
    for (std::size_t i = 0; i < n * spinor_numbers; ++i) numbers(y)[i] += numbers(x)[i];
  }
  static void subtract(Spin* y, const Spin* x, std::size_t n) {
    for (std::size_t i = 0; i < n * spinor_numbers; ++i) numbers(y)[i] -= numbers(x)[i];
  }

  void solve(int first, int last, Vector& z, Vector& r) {
    op_.for_groups(first, last,
                   [&](int group, Spin* scratch, ThreadTimes& times) { solve_group(group, z, r, scratch, times); });
  }

  void receive(int colour, Vector& r) {
    if (op_.divided()) {
      const Section recv{op_.sections().recv};
      op_.wait(colour);
    }
    const BlockLayout& layout = op_.layout();
    const Section faces{op_.sections().faces, op_.faces_work(1 - colour)};
    op_.for_groups(layout.first_group(1 - colour), layout.first_group(2 - colour),
                   [&](int group, Spin* scratch, ThreadTimes&) { op_.add_ghosts(group, r, op_.kappa(), scratch); });
  }

  // The sum over the lanes of each block, in all of its lanes.
  V of_blocks(const V& lanes) const {
    const BlockLayout& layout = op_.layout();
    Numbers sums{}, out;
    for (int lane = 0; lane < Operator::width; ++lane) {
      sums[static_cast<std::size_t>(layout.block_of_lane(lane))] += reinterpret_cast<const Real*>(&lanes)[lane];
    }
    for (int lane = 0; lane < Operator::width; ++lane) {
      out[static_cast<std::size_t>(lane)] = sums[static_cast<std::size_t>(layout.block_of_lane(lane))];
    }
    return load<V>(out.data());
  }

  void minres(const Timer& timer, Spin* even, Spin* odd, Spin* r_even, Spin* r_odd, Spin* scratch, std::size_t n) {
    Spin *const q = scratch + n, *const between = scratch + 2 * n, *const sq = scratch + 3 * n;
    const Spin* const zero = scratch + 4 * n;
    for (std::size_t v = 0; v < n; ++v) scratch[4 * n + v] = odd[v] = {};
    timer.gauss_seidel(1, q, r_odd, r_even, scratch);  // q = r_o + kappa T^-1 H r_e
    for (int step = 0; step < options_.steps; ++step) {
      timer.gauss_seidel(0, between, zero, q, scratch);
      timer.gauss_seidel(1, sq, zero, between, scratch);  // S q = q - sq
      timer.combined(15, [&] { minimise(q, odd, sq, n); });
    }
    timer.gauss_seidel(0, even, r_even, odd, scratch);
    copy(q, r_odd, n);
  }

  // With s = q - sq: a = <s, q> / |s|^2, odd += a q, q -= a s.
  void minimise(Spin* q, Spin* odd, Spin* sq, std::size_t n) const {
    V re{}, im{}, size{};
    V *const from = numbers(q), *const image = numbers(sq), *const to = numbers(odd);
    for (std::size_t i = 0; i < n * spinor_numbers; i += 2) {
      image[i] = from[i] - image[i];
      image[i + 1] = from[i + 1] - image[i + 1];
      re += image[i] * from[i] + image[i + 1] * from[i + 1];
      im += image[i] * from[i + 1] - image[i + 1] * from[i];
      size += image[i] * image[i] + image[i + 1] * image[i + 1];
    }
    re = of_blocks(re);
    im = of_blocks(im);
    size = of_blocks(size);
    Numbers a_re, a_im;
    for (std::size_t lane = 0; lane < a_re.size(); ++lane) {
      const Real divisor = reinterpret_cast<const Real*>(&size)[lane];
      const Real one_over = divisor > 0 ? 1 / divisor : 0;  // a block that is solved, or empty, stays
      a_re[lane] = one_over * reinterpret_cast<const Real*>(&re)[lane];
      a_im[lane] = one_over * reinterpret_cast<const Real*>(&im)[lane];
    }
    const V a = load<V>(a_re.data()), b = load<V>(a_im.data());
    for (std::size_t i = 0; i < n * spinor_numbers; i += 2) {
      to[i] += a * from[i] - b * from[i + 1];
      to[i + 1] += a * from[i + 1] + b * from[i];
      from[i] -= a * image[i] - b * image[i + 1];
      from[i + 1] -= a * image[i + 1] + b * image[i];
    }
  }

  Operator& op_;
  SchwarzOptions options_;
  Vector d_;
};

}  // namespace tenken::qcd
