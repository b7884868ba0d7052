// Whether MPI takes pointers to memory of a card. An MPI that does not ends the program in its first call with such a
// pointer, so the answer is needed before.
#pragma once

#include <string>

#include "measure/check.hpp"

namespace tenken::gpu {

struct PointerAnswer {
  bool taken = false;
  std::string reason;  // what the answer relies on
};

// `symbol` finds a function of the MPI library by its name, `variable` a variable of the environment; null where there
// is none. `library`: what the MPI library calls itself. Open MPI and MPICH have a function that answers; of others the
// environment is asked.
PointerAnswer takes_device_pointers(void* (*symbol)(const char* name), const char* (*variable)(const char* name),
                                    const std::string& library);

// Collective. Ends the case as lacking on all ranks where the MPI of any rank does not take pointers to memory of a
// card. `instead`: what to choose then ("--route staged"). `planted`: a fault, no MPI takes them.
void require_device_pointers(const Check& check, const std::string& instead, bool planted);

}  // namespace tenken::gpu
