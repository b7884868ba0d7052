#include "input.hpp"

#include <doctest/doctest.h>

#include <string>

#include "base/error.hpp"

using namespace hpl;

namespace {

// As the benchmark's own example has them: several values in a line, text behind them.
const char* const several = R"(HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
6            device out (6=stdout,7=stderr,file)
4            # of problems sizes (N)
29 30 34 35  Ns
2            # of NBs
1 4          NBs
0            PMAP process mapping (0=Row-,1=Column-major)
3            # of process grids (P x Q)
2 1 4        Ps
2 4 1        Qs
16.0         threshold
3            # of panel fact
0 1 2        PFACTs (0=left, 1=Crout, 2=Right)
2            # of recursive stopping criterium
2 4          NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
3            # of recursive panel fact.
0 1 2        RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
0            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
0            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
)";

std::string refusal(std::string text) {
  try {
    read_input(text, "HPL.dat");
  } catch (const tenken::UserError& error) {
    return error.what();
  }
  return "";
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = several;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST_CASE("all lines are read, in the order of the benchmark") {
  const Input input = read_input(several, "HPL.dat");
  CHECK(input.sizes == std::vector<int>{29, 30, 34, 35});
  CHECK(input.blocks == std::vector<int>{1, 4});
  CHECK(input.rows == std::vector<int>{2, 1, 4});
  CHECK(input.columns == std::vector<int>{2, 4, 1});
  CHECK(input.broadcasts == std::vector<int>{0});
  CHECK(input.threshold == 16);
  const auto all = input.combinations();
  REQUIRE(all.size() == 24);
  CHECK((all[0].n == 29 && all[0].nb == 1 && all[0].p == 2 && all[0].q == 2));
  CHECK((all[1].n == 29 && all[1].nb == 4));
  CHECK((all[8].n == 29 && all[8].p == 1 && all[8].q == 4));
  CHECK((all[23].n == 35 && all[23].nb == 4 && all[23].p == 4));
  std::string ahead = with("1            # of lookahead", "2            # of lookahead");
  ahead.replace(ahead.find("0            DEPTHs"), 19, "0 2          DEPTHs");
  const auto deeper = read_input(ahead, "HPL.dat").combinations();
  REQUIRE(deeper.size() == 48);
  CHECK((deeper[0].depth == 0 && deeper[1].depth == 2 && deeper[1].nb == 1 && deeper[2].nb == 4));
}

TEST_CASE("lines without effect are named with their values") {
  const auto named = read_input(several, "HPL.dat").without_effect;
  CHECK(named.size() == 10);
  CHECK(named.front() == "line 15 (panel factorisations PFACT: 0 1 2)");
  CHECK(named.back() == "line 31 (alignment of memory: 8)");
}

TEST_CASE("what is written asks for the system that was meant") {
  const Combination one{1200, 96, 2, 3, 5, 2};
  const Input back = read_input(input_text(one), "HPL.dat");
  const auto all = back.combinations();
  REQUIRE(all.size() == 1);
  CHECK((all[0].n == 1200 && all[0].nb == 96 && all[0].p == 2 && all[0].q == 3 && all[0].broadcast == 5 &&
         all[0].depth == 2));
  CHECK(read_input(input_text({1200, 96, 2, 3, of_tree}), "HPL.dat").broadcasts == std::vector<int>{of_long});
  CHECK(back.threshold == 16);
}

TEST_CASE("a line that does not fit is refused with its number and what is expected") {
  CHECK(refusal(with("29 30 34 35  Ns", "29 30 0 35   Ns")) ==
        "line 6 of --input HPL.dat has '0' where 4 values of the problem sizes N (1 to 4000000) are expected");
  CHECK(
      refusal(with("29 30 34 35  Ns", "29 30 34")) ==
      "line 6 of --input HPL.dat has too few values where 4 values of the problem sizes N (1 to 4000000) are expected");
  CHECK(
      refusal(with("4            # of problems", "x            # of problems")) ==
      "line 5 of --input HPL.dat has 'x' where the number of the problem sizes N (1 to 4000000) (1 to 20) is expected");
  CHECK(refusal(with("2 1 4        Ps", "2 1 0        Ps")).find("line 11 of --input HPL.dat has '0'") == 0);
  CHECK(refusal(with("16.0", "nan")).find("line 13 of --input HPL.dat has 'nan' where the threshold") == 0);
  CHECK(refusal(with("0            BCASTs", "6            BCASTs")).find("line 23 of --input HPL.dat has '6'") == 0);
  CHECK(refusal(with("29 30 34 35", "29 30 34 99999999999")).find("line 6") == 0);
  CHECK(refusal("a\nb\n") ==
        "--input HPL.dat ends at line 2, where line 5 with the number of the problem sizes N (1 to 4000000) "
        "(1 to 20) is expected");
}

TEST_CASE("lines of a result are those of the benchmark") {
  // 2/3 n^3 + 3/2 n^2 at n = 1000: 668166666.7 flop in 0.5 s.
  CHECK(result_line({1000, 192, 2, 4, 1}, 0, 0.5) ==
        "WR11R2R4        1000   192     2     4               0.50             1.3363e+00\n");
  CHECK(result_line({1000, 192, 2, 4, of_tree, 2}, 1, 0.5).starts_with("WC24R2R4 "));
  CHECK(residual_line(0.0123, 16) ==
        "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=     1.23000000e-02 ...... PASSED\n");
  CHECK(residual_line(17, 16).find("FAILED") != std::string::npos);
  CHECK(residual_line(0.0 / 0.0, 16).find("FAILED") != std::string::npos);
  CHECK(result_heading().find("T/V                N    NB     P     Q               Time                 Gflops") !=
        std::string::npos);
}

}  // namespace
