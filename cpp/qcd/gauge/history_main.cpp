// The plaquette after each sweep of the heat bath, one a line: `qcd_history BETA EXTENT SEED SWEEPS`, on one rank.
// A sweep is four over-relaxations and one heat bath, from uniform links on.
#include <charconv>
#include <cstdio>
#include <string_view>

#include "base/error.hpp"
#include "qcd/gauge/averages.hpp"
#include "qcd/gauge/heatbath.hpp"
#include "qcd/gauge/start.hpp"

namespace {

using namespace tenken;
using namespace tenken::qcd;

template <class Number>
Number number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.begin(), text.end(), value);
  if (error != std::errc() || end != text.end() || value < 0) {
    refuse("'" + std::string(text) + "' is no number; usage: qcd_history BETA EXTENT SEED SWEEPS");
  }
  return value;
}

void history(int argc, char** argv) {
  if (argc != 5) refuse("4 arguments are needed: qcd_history BETA EXTENT SEED SWEEPS");
  const auto beta = number<double>(argv[1]);
  const auto extent = number<int>(argv[2]);
  const auto seed = number<std::uint64_t>(argv[3]);
  const auto sweeps = number<int>(argv[4]);
  const Geometry geometry({extent, extent, extent, extent}, {1, 1, 1, 1}, 0);
  ExtendedLinks links(MPI_COMM_SELF, geometry, make_links(geometry, {Start::heatbath, 0, seed}));
  HeatBath bath(links, beta, seed);
  for (int n = 0; n < sweeps; ++n) {
    bath.sweep(4);
    std::printf("%.15f\n", gauge_averages(links).plaquette);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    history(argc, argv);
  } catch (const UserError& error) {
    std::fprintf(stderr, "qcd_history: %s\n", error.what());
    code = 3;
  }
  MPI_Finalize();
  return code;
}
