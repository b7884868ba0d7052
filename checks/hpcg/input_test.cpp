#include "input.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/error.hpp"

using namespace tenken;
using namespace tenken::hpcg;

namespace {

const std::string head =
    "HPCG benchmark input file\nSandia National Laboratories; University of Tennessee, Knoxville\n";

std::string refusal(const std::string& text) {
  try {
    read_input(text, "hpcg.dat");
  } catch (const UserError& error) {
    CHECK(error.code() == ExitCode::refused);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("hpcg.dat: cells of a rank and seconds, with text behind them") {
  const Input input = read_input(head + "104 64 16 cells of a rank\r\n60\n", "hpcg.dat");
  CHECK(input.cells == Index<3>{104, 64, 16});
  CHECK(input.seconds == 60);
  CHECK(read_input(head + "16 16 16\n0", "hpcg.dat").seconds == 0);
}

TEST_CASE("what hpcg.dat lacks or has wrong is one sentence with its line") {
  CHECK(refusal("") ==
        "--input hpcg.dat ends at line 0, where line 3 with the cells nx ny nz of a rank (multiples of 8 from 16 to "
        "65536) is expected");
  CHECK(refusal(head + "16 16 16\n") ==
        "--input hpcg.dat ends at line 3, where line 4 with the seconds of the timed part (0 to 10000000) is expected");
  const std::string cells = " where the cells nx ny nz of a rank (multiples of 8 from 16 to 65536) is expected";
  CHECK(refusal(head + "16 16\n60\n") == "line 3 of --input hpcg.dat has too few numbers" + cells);
  CHECK(refusal(head + "16 x 16\n60\n") == "line 3 of --input hpcg.dat has 'x'" + cells);
  CHECK(refusal(head + "16 20 16\n60\n") == "line 3 of --input hpcg.dat has '20'" + cells);
  CHECK(refusal(head + "8 16 16\n60\n") == "line 3 of --input hpcg.dat has '8'" + cells);
  CHECK(refusal(head + "16 16 99999999999\n60\n") == "line 3 of --input hpcg.dat has '99999999999'" + cells);
  CHECK(refusal(head + "16 16 16\n-1\n").starts_with("line 4 of --input hpcg.dat has '-1' where the seconds"));
  CHECK(refusal(head + "16 16 16\n1.5\n").starts_with("line 4 of --input hpcg.dat has '1.5' where"));
}
