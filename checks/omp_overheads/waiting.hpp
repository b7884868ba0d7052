// Threads that wait for others may spin or sleep. OpenMP runtimes read which when they are loaded, so a program that
// shall do otherwise than it was started with starts itself again.
#pragma once

#include <string>

namespace omp_overheads {

// What `--waiting` asks for: "active", "passive", or empty where nothing is to be changed.
std::string waiting_asked(int argc, const char* const* argv);

// Returns where the runtime already waits so; else does not return. Call before anything else.
void wait_as_asked(int argc, char** argv);

}  // namespace omp_overheads
