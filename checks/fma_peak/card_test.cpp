// The chains of the variant `cuda` as loops on the host.
#include <doctest/doctest.h>

#include "card_launch.hpp"
#include "gpu/runtime.hpp"

using fma_peak::Precision;
namespace device = fma_peak::device;

TEST_CASE("every chain of a card ends at the fixed point, in both precisions, as chains of processors do") {
  const auto card = device::on_host::make_device(0);
  for (const Precision precision : {Precision::double_, Precision::single}) {
    const device::Pass pass = card->run(precision, 16);
    CHECK(pass.error == fma_peak::kernel_for("scalar", precision).run(64));
    CHECK(pass.error == 0);
    CHECK(pass.ns > 0);
    CHECK(pass.hz == 1e9);  // the stand-in
  }
}

TEST_CASE("too few loops do not reach the fixed point: the proof can fail") {
  const auto card = device::on_host::make_device(0);
  // The chain that begins farthest from 1, at 1/4, after 8 steps.
  CHECK(card->run(Precision::double_, 2).error == 0.75 / 256);
  CHECK(card->run(Precision::single, 2).error == 0.75 / 256);
  CHECK(card->run(Precision::double_, 0).error == 0.75);
}

TEST_CASE("work is that of every chain of every thread of every block") {
  tenken::gpu::on_host::stand_in().card.multiprocessors = 3;
  CHECK(device::on_host::make_device(0)->flop_per_loop() == 2 * 8 * 4 * 3 * 2048);
  tenken::gpu::on_host::stand_in().card.multiprocessors = 4;
}

namespace {
// A card with a known rate, which starts a pass in 5 us.
class Slow final : public device::Device {
 public:
  tenken::gpu::Facts facts() const override { return {}; }
  tenken::gpu::SectionCost section_cost() override { return {}; }
  std::int64_t flop_per_loop() const override { return 1; }
  device::Pass run(Precision, std::int64_t loops) override { return {5000 + 10.0 * static_cast<double>(loops), 0, 0}; }
};
}  // namespace

TEST_CASE("loops fill the time that is asked for, and suffice for the fixed point") {
  Slow card;
  CHECK(fma_peak::loops_on_card(card, Precision::double_, 20000) == doctest::Approx(2e6).epsilon(0.002));
  CHECK(fma_peak::loops_on_card(card, Precision::double_, 0.001) == 16);
}
