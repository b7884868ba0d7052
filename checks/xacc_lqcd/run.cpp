#include "run.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "programs.hpp"

namespace tenken::xacc_lqcd {

namespace {

// Of the serial program, which is slow on one rank: enough for a wrong link or halo anywhere to show.
constexpr int compared_iterations = 6;

const XaccLqcdVersion* find(std::string_view variant, std::string_view lattice, Grid grid) {
  for (const NamedVersion& named : versions) {
    const int* nodes = named.version->nodes;
    if (named.variant == variant && named.lattice == lattice &&
        (nodes[0] == 0 || (nodes[0] == grid.t && nodes[1] == grid.z))) {
      return named.version;
    }
  }
  return nullptr;
}

}  // namespace

Grid grid_of(int ranks) {
  int z = 1;
  for (int n = 1; n * n <= ranks; ++n) {
    if (ranks % n == 0) z = n;
  }
  return {ranks / z, z};
}

const XaccLqcdVersion& version_of(const Check& check, Grid grid) {
  const std::string lattice{check.parameters().text("lattice")};
  const XaccLqcdVersion* version = find(check.variant(), lattice, grid);
  if (version == nullptr) {
    refuse("by hand the program is built for powers of two up to 256 ranks that divide the lattice, not for " +
           std::to_string(check.ranks()) + " and --lattice " + lattice + "; start it with mpirun -n 2");
  }
  if (grid.t > version->extent[0] || grid.z > version->extent[1]) {
    refuse(std::to_string(check.ranks()) + " ranks are " + std::to_string(grid.t) + " in t and " +
           std::to_string(grid.z) + " in z, more than --lattice " + lattice + " has sites; take fewer ranks");
  }
  return *version;
}

void take_route(const Check& check) {
  const std::string route{check.parameters().text("route")};
  if (check.variant() == "hand" && route == "shared") {
    refuse("by hand the program has no route shared; choose --route datatype or --route packed");
  }
  xacc_lqcd_packed = route == "packed" ? 1 : 0;
  setenv("XACC_ROUTE", route == "auto" ? "" : route.c_str(), 1);
}

std::vector<double> residuals(const XaccLqcdVersion& version, int iterations) {
  std::vector<double> list;
  version.begin();
  for (int n = 0; n < iterations; ++n) {
    version.iterate();
    list.push_back(version.residual());
  }
  return list;
}

std::vector<double> slices(const XaccLqcdVersion& version) {
  std::vector<double> list(static_cast<std::size_t>(version.extent[0]));
  version.slices(list.data());
  return list;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;  // also slices that the source has not reached
    const double here = std::abs(a[i] - b[i]) / std::abs(b[i]);
    if (!(here <= worst)) worst = std::isfinite(here) ? here : std::numeric_limits<double>::infinity();
  }
  return worst;
}

Differences against_serial(const Check& check, const XaccLqcdVersion& version) {
  const std::vector<double> history = residuals(version, compared_iterations), x2 = slices(version);
  Differences found{};
  if (check.rank() == 0) {
    const XaccLqcdVersion& serial = *find("serial", check.parameters().text("lattice"), {1, 1});
    serial.prepare(MPI_COMM_SELF);
    found.residuals = difference(history, residuals(serial, compared_iterations));
    found.slices = difference(x2, slices(serial));
  }
  return {check.max_over_ranks(found.residuals), check.max_over_ranks(found.slices)};
}

}  // namespace tenken::xacc_lqcd
