#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "eliminate.hpp"
#include "measure/open_sections.hpp"
#include "ref.hpp"
#include "solve.hpp"
#include "testing/counting.hpp"
#include "this_check.hpp"

using namespace hpl;

namespace {

struct Answer {
  std::vector<double> x;
  std::vector<int> pivots;
};

template <class Number>
std::vector<Number> whole(const Elements& elements) {
  std::vector<Number> system;
  for (int j = 0; j <= elements.n(); ++j) {
    for (int i = 0; i < elements.n(); ++i) system.emplace_back(elements.column(j)(i));
  }
  return system;
}

Answer by_hand(const Elements& elements) {
  Answer answer;
  std::vector<double> system = whole<double>(elements);
  reference(elements.n(), system, answer.x, answer.pivots);
  return answer;
}

constexpr Route routes[] = {Route::ring, Route::tree, Route::spread};

Answer eliminated(const Grid& grid, const Elements& elements, int nb, Route route, int depth = 1,
                  const Faults& faults = {}) {
  Matrix matrix(grid, elements.n(), nb);
  matrix.fill(elements);
  Elimination elimination(grid, matrix, nb, route, depth);
  elimination.run(faults);
  return {solve(grid, matrix, nb), elimination.pivots()};
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
    size = std::max(size, std::abs(b[i]));
  }
  return most / size;
}

// All shapes of the grid for the ranks that there are.
template <class Action>
void for_grids(const Action& action) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int p = 1; p <= ranks; ++p) {
    if (ranks % p != 0) continue;
    CAPTURE(p);
    const Grid grid(MPI_COMM_WORLD, p, ranks / p);
    action(grid);
  }
}

}  // namespace

TEST_CASE("any grid and block size gives the pivots and the solution of the plain elimination") {
  const tenken::OpenSections sections(this_check::table);
  for (const Pattern pattern : {Pattern::random, Pattern::swaps}) {
    for (const int n : {1, 2, 7, 48, 131, 500}) {
      const Elements elements(n, pattern);
      const Answer expected = by_hand(elements);
      for_grids([&](const Grid& grid) {
        for (const int nb : {1, 5, 16, 48}) {
          if (nb > n || (n == 500 && nb != 48)) continue;
          CAPTURE(n);
          CAPTURE(nb);
          for (const Route route : routes) {
            for (const int depth : {0, 1, 2, 5}) {
              const bool usual = depth == (route == Route::ring ? 1 : route == Route::tree ? 0 : 2);
              if (n != 131 && !usual) continue;
              CAPTURE(depth);
              const Answer found = eliminated(grid, elements, nb, route, depth);
              CHECK(found.pivots == expected.pivots);
              CHECK(difference(found.x, expected.x) < 1e-10);
              CHECK(scaled_residual(grid, nb, elements, found.x) < 1.0);
            }
          }
        }
      });
    }
  }
}

TEST_CASE("a system that is built for it swaps rows in nearly every step") {
  const int n = 131;
  const Answer answer = by_hand(Elements(n, Pattern::swaps));
  int swapped = 0;
  for (int k = 0; k < n; ++k) swapped += answer.pivots[static_cast<std::size_t>(k)] != k ? 1 : 0;
  CHECK(swapped >= n - n / 7 - 2);
}

TEST_CASE("planted faults and a wrong solution are seen in the residual") {
  const tenken::OpenSections sections(this_check::table);
  const Elements elements(131, Pattern::random);
  for_grids([&](const Grid& grid) {
    for (const Faults& faults : {Faults{.wrong_pivot = true}, Faults{.stale_panel = true}}) {
      for (const int depth : {0, 1, 2}) {
        CAPTURE(depth);
        const Answer answer = eliminated(grid, elements, 16, Route::ring, depth, faults);
        CHECK_FALSE(scaled_residual(grid, 16, elements, answer.x) < 16.0);
      }
    }
    std::vector<double> x = by_hand(elements).x;
    CHECK(scaled_residual(grid, 16, elements, x) < 1.0);
    x[77] *= 1 + 1e-9;
    CHECK_FALSE(scaled_residual(grid, 16, elements, x) < 16.0);
    x[77] = std::nan("");
    CHECK_FALSE(scaled_residual(grid, 16, elements, x) < 16.0);
  });
}

TEST_CASE("a singular matrix is refused on every rank, and its column is named") {
  const tenken::OpenSections sections(this_check::table);
  for_grids([&](const Grid& grid) {
    for (const auto& [n, nb] : {std::pair{1, 1}, {2, 1}, {23, 6}, {23, 23}}) {
      const Elements elements(n, Pattern::singular);
      for (const Route route : routes) {
        for (const int depth : {0, 1, 2}) {
          CAPTURE(depth);
          std::string sentence;
          try {
            eliminated(grid, elements, nb, route, depth);
          } catch (const tenken::UserError& error) {
            sentence = error.what();
          }
          CHECK(sentence.find("column " + std::to_string(n / 2) + " has no pivot") != std::string::npos);
        }
      }
    }
  });
}

TEST_CASE("the sections of all ranks together count the operations of the plain elimination, one by one") {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (const int n : {1, 6, 23}) {
    const Elements elements(n, Pattern::random);
    auto system = whole<tenken::testing::Counted>(elements);
    std::vector<tenken::testing::Counted> x;
    std::vector<int> pivots;
    tenken::testing::counted_flop = 0;
    reference(n, system, x, pivots);
    const std::int64_t order = n;
    CHECK(tenken::testing::counted_flop == (4 * order * order * order + 9 * order * order - 7 * order) / 6);
    for_grids([&](const Grid& grid) {
      for (const int nb : {1, 4, 6}) {
        if (nb > n) continue;
        tenken::OpenSections sections(this_check::table);
        Matrix matrix(grid, n, nb);
        eliminated(grid, elements, nb, Route::spread, nb % 3);
        std::int64_t flop = sections.work().flop + solve_work(grid, matrix).flop;
        MPI_Allreduce(MPI_IN_PLACE, &flop, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        CHECK(flop == tenken::testing::counted_flop);
      }
    });
  }
}

TEST_CASE("a panel that is on its way with others arrives whole, and its bytes are sent as often as received") {
  for (const Route route : routes) {
    for_grids([&](const Grid& grid) {
      const Matrix matrix(grid, 96, 8);
      constexpr int count = 3;
      std::vector<std::unique_ptr<Panel>> panels;
      std::vector<std::unique_ptr<Broadcast>> broadcasts;
      std::int64_t received = 0, sent = 0;
      for (int n = 0; n < count; ++n) {
        panels.push_back(std::make_unique<Panel>(8, matrix.rows.count()));
        broadcasts.push_back(std::make_unique<Broadcast>(grid, route, n));
        Panel& panel = *panels.back();
        panel.shape(8 * n, 8, matrix.rows.count());
        const int root = n % grid.q;
        for (int i = 0; i < panel.message_size(); ++i) panel.message()[i] = grid.column == root ? 1000 * n + i : -1;
        broadcasts.back()->start(panel, root);
        const tenken::Work work = broadcast_work(grid, route, panel, root);
        received += work.bytes_read;
        sent += work.bytes_written;
      }
      for (int n = 0; n < count; ++n) {
        broadcasts[static_cast<std::size_t>(n)]->progress();
        broadcasts[static_cast<std::size_t>(n)]->finish();
        Panel& panel = *panels[static_cast<std::size_t>(n)];
        bool whole = true;
        for (int i = 0; i < panel.message_size(); ++i) whole = whole && panel.message()[i] == 1000 * n + i;
        CHECK(whole);
      }
      std::int64_t bytes[2] = {received, sent};
      MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_INT64_T, MPI_SUM, grid.along_row);
      CHECK((bytes[0] > 0) == (grid.q > 1));
      CHECK(bytes[0] == bytes[1]);
    });
  }
}

TEST_CASE("what the processes of a column give each other, the others get") {
  for_grids([&](const Grid& grid) {
    Matrix matrix(grid, 64, 8);
    Panel panel(8, matrix.rows.count());
    panel.shape(16, 8, matrix.rows.count() - matrix.rows.begin(16));
    for (int j = 0; j < 8; ++j) panel.set_pivot(j, 16 + j + (j * 37 + 5) % (48 - j));
    SwapRoom room;
    RowSwap swap(grid, matrix, room);
    swap.set(panel);
    std::int64_t bytes[2] = {swap.bytes_sent(3), swap.bytes_received(3)};
    MPI_Allreduce(MPI_IN_PLACE, bytes, 2, MPI_INT64_T, MPI_SUM, grid.along_column);
    CHECK(bytes[0] == bytes[1]);
    CHECK((bytes[0] > 0) == (grid.p > 1));
  });
}
