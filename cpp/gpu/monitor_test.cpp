#include "gpu/monitor.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace tenken;

TEST_CASE("cards are read by their address, and what is not reported is empty") {
  const gpu::Monitor monitor(FAKE_NVML);
  CHECK(monitor.missing().empty());
  const gpu::Reading first = monitor.read("0000:3B:00.0");
  CHECK(first.clock_hz == 1.98e9);
  CHECK(!first.power_w);
  CHECK(first.temperature_c == 61);
  CHECK(gpu::reason_words(first.reasons.value()).empty());
  const gpu::Reading second = monitor.read("0000:5E:00.0");
  CHECK(second.clock_hz == 1.41e9);
  CHECK(second.power_w == doctest::Approx(650.25));
  CHECK(gpu::reason_words(second.reasons.value()) == "power limit, heat");
  CHECK(!monitor.read("0000:00:00.0").clock_hz);
}

TEST_CASE("memory of a card: errors, and repairs that wait for a reset") {
  const gpu::Monitor monitor(FAKE_NVML);
  const gpu::Health first = monitor.health("0000:3B:00.0"), second = monitor.health("0000:5E:00.0");
  CHECK(first.repair_pending == false);
  CHECK(first.repair_failed == false);
  CHECK(first.uncorrected_errors == 0u);
  CHECK(second.repair_pending == true);
  CHECK(second.uncorrected_errors == 2u);
  CHECK(!monitor.health("0000:00:00.0").uncorrected_errors);
}

TEST_CASE("a library that cannot be read has a reason") {
  const gpu::Monitor without("libno-such-nvml.so.1");
  CHECK(without.missing() == "libno-such-nvml.so.1 was not found, so clock and power of cards are not read");
  CHECK(!without.read("0000:3B:00.0").temperature_c);
  CHECK(gpu::Monitor("libm.so.6").missing() == "libm.so.6 is no NVML");
  setenv("FAKE_NVML_ERROR", "9", 1);
  CHECK(gpu::Monitor(FAKE_NVML).missing() == "NVML does not start (error 9)");
  unsetenv("FAKE_NVML_ERROR");
}
