#include "input.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "base/tree.hpp"

namespace hpl {

namespace {

using tenken::printable;
using tenken::refuse;

constexpr int most_values = 20;  // of one line, as in the benchmark

// The lines of the file, each with its number from 1.
class Lines {
 public:
  Lines(std::string_view text, std::string_view file) : file_(file) {
    std::istringstream in{std::string(text)};
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
  }

  // The first `count` words of a line.
  std::vector<std::string> words(int line, int count, std::string_view what) const {
    if (line > static_cast<int>(lines_.size())) {
      refuse("--input " + file_ + " ends at line " + std::to_string(lines_.size()) + ", where line " +
             std::to_string(line) + " with " + std::string(what) + " is expected");
    }
    std::istringstream in(lines_[static_cast<std::size_t>(line) - 1]);
    std::vector<std::string> found;
    for (std::string word; static_cast<int>(found.size()) < count && in >> word;) found.push_back(word);
    if (static_cast<int>(found.size()) < count) fail(line, "", count, what);
    return found;
  }

  std::vector<int> numbers(int line, int count, int least, int most, std::string_view what) const {
    std::vector<int> found;
    for (const std::string& word : words(line, count, what)) {
      int value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc{} || end != word.data() + word.size() || value < least || value > most) {
        fail(line, word, count, what);
      }
      found.push_back(value);
    }
    return found;
  }
  int number(int line, int least, int most, std::string_view what) const {
    return numbers(line, 1, least, most, what)[0];
  }

  // A line that says how many values the next one has, and these.
  std::vector<int> list(int line, int least, int most, std::string_view what) const {
    const int count = number(line, 1, most_values, "the number of " + std::string(what) + " (1 to 20)");
    return numbers(line + 1, count, least, most, what);
  }

  double real(int line, std::string_view what) const {
    const std::string word = words(line, 1, what)[0];
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !std::isfinite(value)) fail(line, word, 1, what);
    return value;
  }

 private:
  [[noreturn]] void fail(int line, const std::string& word, int count, std::string_view what) const {
    const std::string found = word.empty() ? "has too few values" : "has '" + printable(word.substr(0, 40)) + "'";
    refuse("line " + std::to_string(line) + " of --input " + file_ + " " + found + " where " +
           (count > 1 ? std::to_string(count) + " values of " : "") + std::string(what) +
           (count > 1 ? " are expected" : " is expected"));
  }

  std::string file_;
  std::vector<std::string> lines_;
};

// Of the broadcast in the file and in the lines that are printed.
int number_of(const Combination& of) { return of.broadcast == of_tree ? of_long : of.broadcast; }

std::string listed(const std::vector<int>& values) {
  std::string text;
  for (const int value : values) text += (text.empty() ? "" : " ") + std::to_string(value);
  return text;
}

}  // namespace

std::vector<Combination> Input::combinations() const {
  std::vector<Combination> all;
  for (std::size_t grid = 0; grid < rows.size(); ++grid) {
    for (const int n : sizes) {
      for (const int nb : blocks) {
        for (const int depth : depths) {
          for (const int broadcast : broadcasts) all.push_back({n, nb, rows[grid], columns[grid], broadcast, depth});
        }
      }
    }
  }
  return all;
}

Input read_input(std::string_view text, std::string_view file) {
  const Lines lines(text, file);
  Input input;
  // Lines 1 and 2 are comments; 3 and 4 name a file for the output, which here goes to the screen.
  input.sizes = lines.list(5, 1, 4'000'000, "the problem sizes N (1 to 4000000)");
  input.blocks = lines.list(7, 1, 4096, "the block sizes NB (1 to 4096)");
  input.mapping = lines.number(9, 0, 1, "PMAP (0 by rows, 1 by columns)");
  const int grids = lines.number(10, 1, most_values, "the number of grids (1 to 20)");
  input.rows = lines.numbers(11, grids, 1, 65536, "the rows P of the grids");
  input.columns = lines.numbers(12, grids, 1, 65536, "the columns Q of the grids");
  input.threshold = lines.real(13, "the threshold of the residual");
  const auto ignored = [&](int line, std::string_view what, const std::vector<int>& values) {
    input.without_effect.push_back("line " + std::to_string(line) + " (" + std::string(what) + ": " + listed(values) +
                                   ")");
  };
  struct Choice {
    int line, most;
    std::string_view what;
  };
  for (const Choice& one :
       {Choice{14, 2, "panel factorisations PFACT"}, Choice{16, 4096, "recursion ends NBMIN"},
        Choice{18, 4096, "panels of the recursion NDIV"}, Choice{20, 2, "recursive factorisations RFACT"}}) {
    const int least = one.most == 2 ? 0 : 1;
    ignored(one.line + 1, one.what, lines.list(one.line, least, one.most, one.what));
  }
  input.broadcasts = lines.list(22, 0, 5, "the broadcasts BCAST (0 to 5)");
  input.depths = lines.list(24, 0, deepest, "the depths of look-ahead DEPTH (0 to 64)");
  for (const Choice& one :
       {Choice{26, 2, "SWAP"}, Choice{27, 1 << 20, "threshold of SWAP"}, Choice{28, 1, "form of L1"},
        Choice{29, 1, "form of U"}, Choice{30, 1, "equilibration"}, Choice{31, 1 << 20, "alignment of memory"}}) {
    ignored(one.line, one.what, {lines.number(one.line, 0, one.most, one.what)});
  }
  return input;
}

std::string input_text(const Combination& of) {
  const auto line = [](const std::string& values, const char* meaning) {
    return values + std::string(values.size() < 13 ? 13 - values.size() : 1, ' ') + meaning + "\n";
  };
  const auto number = [](int value) { return std::to_string(value); };
  return "HPLinpack benchmark input file\nwritten by Tenken\n" + line("HPL.out", "output file name (if any)") +
         line("6", "device out (6=stdout,7=stderr,file)") + line("1", "# of problems sizes (N)") +
         line(number(of.n), "Ns") + line("1", "# of NBs") + line(number(of.nb), "NBs") +
         line("0", "PMAP process mapping (0=Row-,1=Column-major)") + line("1", "# of process grids (P x Q)") +
         line(number(of.p), "Ps") + line(number(of.q), "Qs") + line("16.0", "threshold") +
         line("1", "# of panel fact") + line("2", "PFACTs (0=left, 1=Crout, 2=Right)") +
         line("1", "# of recursive stopping criterium") + line("4", "NBMINs (>= 1)") +
         line("1", "# of panels in recursion") + line("2", "NDIVs") + line("1", "# of recursive panel fact.") +
         line("2", "RFACTs (0=left, 1=Crout, 2=Right)") + line("1", "# of broadcast") +
         line(number(number_of(of)), "BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)") +
         line("1", "# of lookahead depth") + line(number(of.depth), "DEPTHs (>=0)") +
         line("2", "SWAP (0=bin-exch,1=long,2=mix)") + line("64", "swapping threshold") +
         line("0", "L1 in (0=transposed,1=no-transposed) form") +
         line("0", "U  in (0=transposed,1=no-transposed) form") + line("1", "Equilibration (0=no,1=yes)") +
         line("8", "memory alignment in double (> 0)");
}

double solved_rate(const Combination& of, double seconds) {
  const double n = of.n;
  return (2.0 / 3.0 * n + 3.0 / 2.0) * n * n / seconds * 1e-9;
}

std::string result_heading() {
  const std::string line(80, '=');
  return line + "\nT/V                N    NB     P     Q               Time                 Gflops\n" +
         std::string(80, '-') + "\n";
}

std::string result_line(const Combination& of, int mapping, double seconds) {
  char text[160];
  // Wall time, mapping, look-ahead, broadcast, right-looking recursion over two panels down to four columns.
  std::snprintf(text, sizeof text, "W%c%1d%dR2R4%12d %5d %5d %5d %18.2f     %18.4e\n", mapping == 0 ? 'R' : 'C',
                of.depth, number_of(of), of.n, of.nb, of.p, of.q, seconds, solved_rate(of, seconds));
  return text;
}

std::string residual_line(double residual, double threshold) {
  char text[160];
  std::snprintf(text, sizeof text, "||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)= %18.8e ...... %s\n", residual,
                residual <= threshold ? "PASSED" : "FAILED");
  return text;
}

}  // namespace hpl
