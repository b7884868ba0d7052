#include "run.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  using namespace tenken::cg_family;
  const Choice choice = choice_of(check);
  const std::unique_ptr<System> system = make_system(check);
  prove_operator(check, *system);
  const tenken::Buffer<double> b = right_side(*system);
  Family family(*system, b, choice);
  solve(check, *system, b, family);
  time_iterations(check, family);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
