// A film over ranks: the light of one process to the last bit, and the balance of energy sees late messages.
#include <doctest/doctest.h>

#include <vector>

#include "base/error.hpp"
#include "film.hpp"
#include "lorentz.hpp"

using namespace tenken;
using namespace tenken::tddft;

namespace {

const Pulse light{Shape::asin2cos, 0.15, 0.15, 60, 0};
const LightGrid grid{.vacuum = 2, .film = 8, .spacing = 40, .dt = 0.2};
constexpr int steps = 500;

// a of the points of the film at the end, by one process and without Film.
std::vector<double> alone() {
  Light whole(grid, {0, grid.size()}, light);
  std::vector<Lorentz> medium(static_cast<std::size_t>(grid.film));
  std::vector<double> current(static_cast<std::size_t>(grid.size())), a;
  for (int n = 0; n < steps; ++n) {
    for (std::size_t p = 0; p < medium.size(); ++p) {
      const auto at = static_cast<std::int64_t>(p) + grid.vacuum;
      current[static_cast<std::size_t>(at)] = medium[p].step(whole.now(at), whole.next(at), grid.dt);
    }
    whole.step(current);
  }
  for (std::int64_t p = 0; p < grid.film; ++p) a.push_back(whole.now(p + grid.vacuum));
  return a;
}

struct Seen {
  std::vector<double> a;  // of this group
  double imbalance;
};
Seen moved(const Levels& levels, Exchange exchange, bool stale) {
  Film film(grid, levels, exchange, light, stale);
  const Range points = levels.points();
  std::vector<Lorentz> medium(static_cast<std::size_t>(points.size()));
  std::vector<double> currents(medium.size());
  for (int n = 0; n < steps; ++n) {
    film.post();
    for (std::size_t p = 0; p < medium.size(); ++p) {
      const std::int64_t point = points.first + static_cast<std::int64_t>(p);
      currents[p] = medium[p].step(film.now(point), film.next(point), grid.dt);
    }
    film.receive(currents);
    film.advance();
  }
  Seen seen{{}, film.imbalance()};
  for (std::int64_t point = points.first; point < points.last; ++point) seen.a.push_back(film.now(point));
  return seen;
}

}  // namespace

TEST_CASE("groups of ranks move one light, and a message that is late breaks its balance") {
  const Levels levels(MPI_COMM_WORLD, grid.film);
  const std::vector<double> whole = alone();
  const Range points = levels.points();
  const std::vector<double> expected(whole.begin() + points.first, whole.begin() + points.last);
  for (const Exchange exchange : {Exchange::neighbours, Exchange::gather}) {
    const Seen fresh = moved(levels, exchange, false), stale = moved(levels, exchange, true);
    CHECK(fresh.a == expected);
    CHECK(fresh.imbalance < 1e-11);
    if (levels.groups() > 1) CHECK(stale.imbalance > 1e-5);
  }
}

TEST_CASE("ranks share a macro point where there are more of them") {
  int ranks = 1, rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Levels one(MPI_COMM_WORLD, 1);
  CHECK(one.groups() == 1);
  CHECK(one.places() == ranks);
  CHECK(one.place() == rank);
  CHECK(one.points() == Range{0, 1});
  if (ranks == 4) {
    const Levels two(MPI_COMM_WORLD, 2);
    CHECK(two.groups() == 2);
    CHECK(two.group() == rank / 2);
    CHECK(two.place() == rank % 2);
    CHECK(two.points() == Range{rank / 2, rank / 2 + 1});
    CHECK_THROWS_AS(Levels(MPI_COMM_WORLD, 3), UserError);
  }
}
