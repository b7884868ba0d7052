#include "measure/check.hpp"
#include "run.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  const tenken::seismic::Request request = tenken::seismic::request_of(check);
  tenken::seismic::prove(check, request);
  tenken::seismic::time_steps(check, request);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
