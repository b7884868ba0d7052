#include "report.hpp"

#include <algorithm>

#include "base/median.hpp"
#include "measure/rank_table.hpp"
#include "parallel/neighbour_class.hpp"
#include "this_check.hpp"

namespace halo_paths {

using namespace tenken;

namespace {

// The farthest pair of neighbours of all ranks.
Near farthest(const Check& check, const Cubes& cubes, const Settings& settings) {
  const Tree tree("/");
  const int cpu = bound_processor(tree);
  std::vector<int> cpus(static_cast<std::size_t>(check.ranks()));
  MPI_Allgather(&cpu, 1, MPI_INT, cpus.data(), 1, MPI_INT, check.comm());
  const Rings rings = rings_of(check.rank(), check.ranks());
  const Ring ring = settings.second ? rings.column : ring_of_all(check.rank(), check.ranks());
  Near near = Near::itself;
  for (const int other : {ring.lower, ring.upper, settings.second ? rings.row.lower : ring.lower,
                          settings.second ? rings.row.upper : ring.upper}) {
    if (other == check.rank()) continue;
    const Near of =
        cubes.of(other) == nullptr ? Near::network : near_of(tree, cpu, cpus[static_cast<std::size_t>(other)]);
    near = std::max(near, of);
  }
  return static_cast<Near>(static_cast<int>(check.max_over_ranks(static_cast<double>(near))));
}

void report_wrong(Check& check, const WrongHalo& wrong) {
  std::vector<double> mine;
  for (const std::int64_t number :
       {wrong.values, wrong.way, wrong.face, wrong.side, wrong.place, wrong.neighbour, wrong.late}) {
    mine.push_back(static_cast<double>(number));
  }
  table_of_ranks(check, "wrong_halos", {"wrong values", "way", "face", "side", "place", "neighbour", "late samples"}, 0,
                 mine);
  check.prove(this_check::validity::halos, check.sum_over_ranks(mine[0]));
}

}  // namespace

void report(Check& check, const Cubes& cubes, const Settings& settings, const Samples& samples, const RouteFile& file) {
  const Plane plane = source(settings.face, Side::lower, settings.n);
  const Near near = farthest(check, cubes, settings);
  Table times{"exchange_times", "us", Better::lower, {}, {}, {}};
  std::vector<double> medians(kinds, -1);
  double pack_ns = 0;
  for (const Way& way : samples.ways()) {
    const double ns = median_of(way.ns);
    times.columns.push_back(way.name);
    times.values.emplace_back(ns * 1e-3);
    check.value(way.name + "_us", "us", ns * 1e-3);
    if (way.first == nullptr || way.second != nullptr) continue;
    medians[static_cast<std::size_t>(way.kind)] = ns;
    if (way.kind == Kind::pack) pack_ns = ns;
  }
  for (const Way& way : samples.ways()) {
    if (way.first != nullptr && way.second == nullptr) {
      check.value(way.name + "_over_pack", "1", median_of(way.ns) / pack_ns);
    }
  }
  if (settings.second) {
    const double second = median_of(samples.ways().front().ns);
    for (const Way& way : samples.ways()) {
      if (way.first == nullptr || way.second == nullptr) continue;
      const double alone = medians[static_cast<std::size_t>(way.kind)];
      check.value(way.name + "_over_sum", "1", median_of(way.ns) / (alone + second));
    }
  }
  times.rows.push_back(std::to_string(plane.blocks) + " blocks of " + std::to_string(plane.block * 8) +
                       " bytes, over " + name_of(near));
  check.table(times);
  check.value("best_route", "1", fastest_route(medians));
  check.value("plane_bytes", "B", static_cast<double>(plane.values() * 8));
  check.value("neighbour_class", "1", static_cast<double>(near));
  if (!settings.second) {
    RouteLine line{near, plane.block * 8, plane.blocks, {}};
    for (std::size_t i = 0; i < medians.size(); ++i) line.us[i] = medians[i] < 0 ? -1 : medians[i] * 1e-3;
    file.append(check, line);
  }
  check.value("routes_lacking", "1", samples.lacking());
  report_wrong(check, samples.wrong());
}

}  // namespace halo_paths
