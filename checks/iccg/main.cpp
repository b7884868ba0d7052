#include "reading.hpp"
#include "run.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  const iccg::Problem problem = iccg::make_problem(check);
  const tenken::Coloured a = iccg::make_matrix(check, problem);
  const std::unique_ptr<iccg::Solver> solver = iccg::make_solver(check, problem, a);
  iccg::solve(check, problem, a, *solver);
  if (check.parameters().flag("turns")) {
    iccg::time_in_turn(check, problem, a, *solver);
  } else {
    iccg::time_iterations(check, *solver);
  }
  if (check.parameters().flag("read")) iccg::time_reading(check, *solver);
  iccg::count_directives(check);
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, body); }
