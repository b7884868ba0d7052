// Bytes that the memory controllers of this node read and wrote, of all programs together: counters of devices
// ("uncore"), where the kernel names them below /sys/bus/event_source/devices/uncore_imc*.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "measure/perf_counters.hpp"

namespace tenken {

class MemoryCounters {
 public:
  struct Bytes {
    double read = 0;
    double written = 0;
  };

  // Every controller of every socket. The unit of a count is that of the kernel's files EVENT.scale and EVENT.unit.
  MemoryCounters(PerfSystem& system, const Tree& tree);

  // Why memory is not counted, such as "not permitted: FILE says N"; empty where it is.
  const std::string& problem() const { return problem_; }

  void begin() noexcept;
  // Since begin(); empty where a controller was off the counters for a part of the time.
  std::optional<Bytes> end() noexcept;

 private:
  struct Controller {
    CounterGroup group;  // bytes read, bytes written
    double read_scale;   // bytes a count
    double written_scale;
    GroupReading before{};
  };

  std::vector<Controller> controllers_;
  std::string problem_;
};

}  // namespace tenken
