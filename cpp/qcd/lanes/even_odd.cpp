#include "qcd/lanes/even_odd.hpp"

#include <array>
#include <utility>

#include "qcd/lanes/even_odd_solver.hpp"
#include "qcd/lanes/link_storage.hpp"

namespace tenken::qcd {

namespace {

template <class Real, int width>
std::unique_ptr<LaneSolver> stored_so(const LinkStorage& stored, MPI_Comm comm, const Geometry& g,
                                      const ExtendedLinks& links, double kappa, std::span<const Field> sources,
                                      const EvenOddOptions& options) {
  using Made = Solver<Real, width>;
  const auto together = static_cast<int>(sources.size());
  const int rows = stored.reals == 18 ? colours : 2;
  const HoppingOptions hopping{stored.copies == 1, options.overlap, options.barrier};
  std::unique_ptr<Layout<double, Made::exact_width>> exact;
  if (Made::mixed || rows != colours) {
    exact = std::make_unique<Layout<double, Made::exact_width>>(comm, links, together, colours, hopping);
  }
  auto own = std::make_unique<Layout<Real, width>>(comm, links, together, rows, hopping, options.no_swaps);
  return std::make_unique<Made>(comm, g, std::move(own), std::move(exact), kappa, sources, options.sections);
}

// With vectors of `lanes`, a power of two up to `width`.
template <class Real, int width = widest_width<Real>>
std::unique_ptr<LaneSolver> of_lanes(int lanes, const LinkStorage& stored, MPI_Comm comm, const Geometry& g,
                                     const ExtendedLinks& links, double kappa, std::span<const Field> sources,
                                     const EvenOddOptions& options) {
  if constexpr (width > 1) {
    if (lanes < width) return of_lanes<Real, width / 2>(lanes, stored, comm, g, links, kappa, sources, options);
  }
  return stored_so<Real, width>(stored, comm, g, links, kappa, sources, options);
}

// Blocks and caches may be unlike, and all ranks store alike: the least of any.
LinkCaches least_caches(MPI_Comm comm, const Geometry& g, const CacheShare& cache) {
  std::array<double, 3> least = {cache.second_level / g.sites, cache.last_level / g.sites, cache.second_cache};
  MPI_Allreduce(MPI_IN_PLACE, least.data(), 3, MPI_DOUBLE, MPI_MIN, comm);
  return {least[0], least[1], least[2]};
}

}  // namespace

std::unique_ptr<LaneSolver> make_even_odd(MPI_Comm comm, const Geometry& g, const ExtendedLinks& links, double kappa,
                                          std::span<const Field> sources, const EvenOddOptions& options) {
  const int bytes_a_real = options.mixed ? sizeof(float) : sizeof(double);
  const int lanes = widest_lanes(g, options.vector_bytes / bytes_a_real);
  const LinkWish wish{options.links, options.storage, static_cast<int>(sources.size()), bytes_a_real};
  const LinkStorage stored = link_storage_by_rule(wish, least_caches(comm, g, options.cache));
  return options.mixed ? of_lanes<float>(lanes, stored, comm, g, links, kappa, sources, options)
                       : of_lanes<double>(lanes, stored, comm, g, links, kappa, sources, options);
}

}  // namespace tenken::qcd
