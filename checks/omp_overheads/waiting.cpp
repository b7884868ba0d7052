#include "waiting.hpp"

#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include <string_view>

namespace omp_overheads {

std::string waiting_asked(int argc, const char* const* argv) {
  std::string asked;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--waiting" && i + 1 < argc) asked = argv[i + 1];
    if (word.starts_with("--waiting=")) asked = word.substr(10);
  }
  return asked == "active" || asked == "passive" ? asked : std::string();  // anything else is refused later, or default
}

void wait_as_asked(int argc, char** argv) {
  const std::string asked = waiting_asked(argc, argv);
  const char* now = getenv("OMP_WAIT_POLICY");
  if (asked.empty() || (now != nullptr && strcasecmp(now, asked.c_str()) == 0)) return;
  setenv("OMP_WAIT_POLICY", asked.c_str(), 1);
  unsetenv("GOMP_SPINCOUNT");  // these would overrule it
  unsetenv("KMP_BLOCKTIME");
  execv("/proc/self/exe", argv);  // where that fails the program goes on as it was started, and the record says so
}

}  // namespace omp_overheads
