// The variants as they are timed.
#define ICCG_NAMESPACE timed
#define ICCG_SCHEDULE static
#define ICCG_SUM double
#include "variants.hpp"

namespace iccg {

namespace {

class Iccg : public Solver {
 public:
  Iccg(Sync sync, const tenken::Coloured& a, std::span<const double> b, Faults faults)
      : sync_(sync), state_(a, b, faults) {}

  void start() override { state_.start(); }
  int advance(int n, double tolerance, Watch* watch) override {
    return timed::advance(sync_, state_, n, tolerance * state_.of_b, watch);
  }
  End end() const override { return state_.end; }
  const std::vector<double>& history() const override { return state_.residuals; }
  void solution(double* x) const override { scatter_rows(state_.a, state_.x.data(), x); }
  void direction(double* p) const override { scatter_rows(state_.a, state_.p.data(), p); }
  void apply(const double* in, double* out) override {
    std::copy(in, in + state_.a.padded, state_.r.data());
    const tenken::Coloured& a = state_.a;
    for (int colour = 0; colour < a.colours(); ++colour) {
      forward(chunks_of(a, colour, 0, 1), a, state_.r.data(), state_.z.data());
    }
    for (int colour = a.colours() - 2; colour >= 0; --colour) state_.backward(chunks_of(a, colour, 0, 1));
    std::copy(state_.z.data(), state_.z.data() + a.padded, out);
    state_.start();
  }
  double runs() const override { return 0; }
  std::int64_t working_set_bytes() const override {
    constexpr std::int64_t vectors = 7;  // two diagonals, x, r, z, p, q
    const tenken::Coloured& a = state_.a;
    const std::int64_t an_entry = a.lower.factor.size() == 0 ? 12 : 20;  // value, column, factor
    return an_entry * (a.lower.entries + a.upper.entries) + 8 * (a.chunks() + 1) + 8 * vectors * a.rows;
  }
  tenken::Work work(Phase phase) const override { return work_of(state_.a, phase); }

 private:
  static tenken::Work work_of(const tenken::Coloured& a, Phase phase);

  Sync sync_;
  State state_;
};

tenken::Work Iccg::work_of(const tenken::Coloured& a, Phase phase) {
  const std::int64_t n = a.rows;
  switch (phase) {
    case Phase::iteration:
      return {};
    case Phase::forward:
      return forward_work(a);
    case Phase::backward:
      return backward_work(a);
    case Phase::product:
      return multiply_work(a);
    case Phase::dot: {  // (r, z), (p, q), (r, r)
      const tenken::Work two = tenken::dot_work(n, 8), norm = tenken::norm_work(n, 8);
      return {.flop = 2 * two.flop + norm.flop, .bytes_read = 2 * two.bytes_read + norm.bytes_read};
    }
    case Phase::update: {
      const tenken::Work one = tenken::axpy_work(n, 8);  // p, x and r
      return {.flop = 3 * one.flop, .bytes_read = 3 * one.bytes_read, .bytes_written = 3 * one.bytes_written};
    }
  }
  return {};
}

}  // namespace

std::unique_ptr<Solver> make_iccg(Sync sync, const tenken::Coloured& a, std::span<const double> b, Faults faults) {
  return std::make_unique<Iccg>(sync, a, b, faults);
}

}  // namespace iccg
