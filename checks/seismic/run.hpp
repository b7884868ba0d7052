// The steps of the check program.
#pragma once

#include "measure/check.hpp"
#include "proofs.hpp"

namespace tenken::seismic {

// What is asked for. Refuses what cannot be computed or does not fit.
struct Request {
  Problem problem;
  Plan plan;
  Faults faults;
};
Request request_of(const Check& check);

void prove(Check& check, const Request& request);
void time_steps(Check& check, const Request& request);

}  // namespace tenken::seismic
