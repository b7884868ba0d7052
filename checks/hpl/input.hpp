// HPL.dat, the input file of the High Performance Linpack benchmark (A. Petitet, R. C. Whaley, J. Dongarra, A. Cleary,
// HPL 2.3, 2018, file TUNING), and the lines that the benchmark prints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hpl {

constexpr int of_long = 4;   // numbers of broadcasts from here on are long
constexpr int of_tree = 6;   // MPI's own, which the file does not have: it is written and printed as the long broadcast
constexpr int deepest = 64;  // look-ahead

// One system of the file.
struct Combination {
  int n = 0, nb = 0, p = 0, q = 0;
  int broadcast = 0;  // number of the file: 0 1rg, 1 1rM, 2 2rg, 3 2rM, 4 Lng, 5 LnM; or of_tree
  int depth = 1;      // of the look-ahead
};

struct Input {
  std::vector<int> sizes, blocks, rows, columns, depths, broadcasts;
  int mapping = 0;  // 0 by rows, 1 by columns
  double threshold = 16;
  std::vector<std::string> without_effect;  // lines that ask for something that this program does not vary

  // In the order of the benchmark: grids, sizes, blocks, depths, broadcasts.
  std::vector<Combination> combinations() const;
};

// Throws UserError (refused) that names `file`, the line and what is expected there. Pure.
Input read_input(std::string_view text, std::string_view file);

// The file that asks for one system. read_input of it gives that system.
std::string input_text(const Combination& of);

// GFLOP/s by the formula of the benchmark, 2/3 n^3 + 3/2 n^2.
double solved_rate(const Combination& of, double seconds);

// Of one system: the line "T/V N NB P Q Time Gflops" and the line of the residual, as the benchmark prints them.
std::string result_heading();
std::string result_line(const Combination& of, int mapping, double seconds);
std::string residual_line(double residual, double threshold);

}  // namespace hpl
