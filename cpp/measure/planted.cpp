#include "measure/planted.hpp"

#include <chrono>
#include <csignal>
#include <thread>

#include "measure/check.hpp"

namespace tenken {

void plant_fault(const Check& check, int repetition, int planned) {
  if (check.rank() != check.ranks() - 1) return;
  if (check.fault("delay")) {
    const std::int64_t start = monotonic_ns();
    while (monotonic_ns() - start < 1'000'000) {
    }
  }
  if (repetition != planned / 2) return;
  if (check.fault("crash")) std::raise(SIGSEGV);
  if (check.fault("hang")) {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

}  // namespace tenken
