#include "measure/check.hpp"
#include "run.hpp"
#include "this_check.hpp"

int main(int argc, char** argv) { return tenken::run_check(argc, argv, this_check::table, tenken::realspace::run); }
