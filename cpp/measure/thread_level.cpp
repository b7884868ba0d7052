#include "measure/thread_level.hpp"

#include <mpi.h>

#include <array>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/parameters.hpp"

namespace tenken {

namespace {

using Level = std::pair<int, std::string_view>;
constexpr std::array<Level, 4> levels = {{{MPI_THREAD_SINGLE, "single"},
                                          {MPI_THREAD_FUNNELED, "funneled"},
                                          {MPI_THREAD_SERIALIZED, "serialized"},
                                          {MPI_THREAD_MULTIPLE, "multiple"}}};

}  // namespace

std::string_view thread_level_name(int level) {
  for (const auto& [number, name] : levels) {
    if (number == level) return name;
  }
  return "unknown";
}

int wanted_thread_level(const CheckTable& table, int argc, const char* const* argv) {
  try {
    const Parameters parameters(table, argc, argv);
    for (const auto& [number, name] : levels) {
      if (parameters.text("thread_level") == name) return number;
    }
    return parameters.integer("threads") > 1 ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE;
  } catch (const UserError&) {
    return MPI_THREAD_SINGLE;  // refused again, aloud, once the ranks can agree on it
  }
}

void require_thread_level(int wanted, int provided) {
  if (provided >= wanted) return;
  lacking("this MPI offers thread level " + std::string(thread_level_name(provided)) + ", and this case needs " +
          std::string(thread_level_name(wanted)) + "; use an MPI built with thread support");
}

}  // namespace tenken
