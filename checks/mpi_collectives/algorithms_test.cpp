#include "algorithms.hpp"

#include <doctest/doctest.h>

#include <set>

#include "base/error.hpp"
#include "launchers.hpp"
#include "payload.hpp"
#include "shares.hpp"
#include "this_check.hpp"

using namespace mpi_collectives;

TEST_CASE("the library is known by what it says of itself") {
  CHECK(library_of("Open MPI v4.1.4, package: Debian OpenMPI") == Library::open_mpi);
  CHECK(library_of("MPICH Version:\t4.0.2\n") == Library::mpich);
  CHECK(library_of("Another MPI 1.0") == Library::other);
}

TEST_CASE("what is set is what the library's own variable must show") {
  const auto open_mpi = settings_for(Library::open_mpi, "bcast", "binomial");
  REQUIRE(open_mpi.size() == 2);
  CHECK(open_mpi[0].name == "OMPI_MCA_coll_tuned_use_dynamic_rules");
  CHECK(open_mpi[1].name == "OMPI_MCA_" + shown_by(Library::open_mpi, "bcast", "binomial").name);
  CHECK(open_mpi[1].value == shown_by(Library::open_mpi, "bcast", "binomial").value);
  const auto mpich = settings_for(Library::mpich, "allreduce", "rabenseifner");
  REQUIRE(mpich.size() == 2);
  CHECK(mpich[1].name == "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM");
  CHECK(mpich[1].value == "reduce_scatter_allgather");
}

TEST_CASE("what a library does not offer is not set, and what it does is named") {
  CHECK(settings_for(Library::mpich, "bcast", "chain").empty());
  CHECK(settings_for(Library::other, "bcast", "binomial").empty());
  CHECK(settings_for(Library::open_mpi, "bcast", "library").empty());
  CHECK(choices(Library::mpich, "alltoall") == "linear, pairwise, bruck");
  CHECK(choices(Library::other, "alltoall").empty());
}

TEST_CASE("a choice is taken where its word is shown, or any number but that of no choice") {
  CHECK(is_taken("binomial", "binomial"));
  CHECK(is_taken("3", "binomial"));
  CHECK_FALSE(is_taken("0", "binomial"));
  CHECK_FALSE(is_taken("ignore", "binomial"));
  CHECK_FALSE(is_taken("", "binomial"));
}

TEST_CASE("every algorithm of the table can be asked for, and every one that can be asked for is in it") {
  std::set<std::string> listed;
  for (const Offered& one : offered()) listed.insert(std::string(one.algorithm));
  std::set<std::string> askable;
  for (const auto& parameter : this_check::parameters) {
    if (parameter.name != "algorithm") continue;
    std::string word;
    for (const char letter : std::string(parameter.choices) + "|") {
      if (letter != '|') {
        word += letter;
      } else {
        if (word != "library") askable.insert(word);
        word.clear();
      }
    }
  }
  CHECK(listed == askable);
}

TEST_CASE("a launcher of another MPI is named") {
  CHECK_NOTHROW(require_own_launcher(2, "2", nullptr));
  CHECK_NOTHROW(require_own_launcher(1, nullptr, nullptr));
  CHECK_NOTHROW(require_own_launcher(1, "1", "1"));
  CHECK_THROWS_WITH_AS(require_own_launcher(1, nullptr, "4"),
                       doctest::Contains("the launcher of MPICH started 4 processes"), tenken::UserError);
  CHECK_THROWS_WITH_AS(require_own_launcher(1, "2", nullptr), doctest::Contains("the launcher of Open MPI"),
                       tenken::UserError);
}

TEST_CASE("uneven shares are all there is, side by side") {
  for (const int ranks : {1, 2, 3, 7, 100}) {
    for (const int words : {1, 2, 5, 1000}) {
      const Shares shares = uneven_shares(words, ranks);
      int next = 0;
      for (std::size_t r = 0; r < shares.counts.size(); ++r) {
        CHECK(shares.starts[r] == next);
        CHECK(shares.counts[r] >= 0);
        next += shares.counts[r];
      }
      CHECK(next == words);
    }
  }
  CHECK(uneven_shares(600, 3).counts == std::vector<int>{100, 200, 300});
}

TEST_CASE("neighbours on a grid know each other") {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {1, 2}, {2, 2}, {3, 4}}) {
    for (int rank = 0; rank < rows * columns; ++rank) {
      for (const int other : neighbours_on_grid(rank, rows, columns)) {
        CHECK(other != rank);
        const auto back = neighbours_on_grid(other, rows, columns);
        CHECK(std::count(back.begin(), back.end(), rank) == 1);
      }
    }
  }
  CHECK(neighbours_on_grid(0, 3, 4) == std::vector<int>{1, 3, 4, 8});
  CHECK(neighbours_on_grid(0, 1, 1).empty());
}

TEST_CASE("a wrong byte is one wrong byte, and words of other ranks or samples are others") {
  std::vector<std::uint32_t> words(100);
  fill(words.data(), words.size(), key_of(1, 2, 3));
  CHECK(wrong_bytes(words.data(), words.size(), key_of(1, 2, 3)) == 0);
  words[99] ^= 0x100;
  CHECK(wrong_bytes(words.data(), words.size(), key_of(1, 2, 3)) == 1);
  for (const std::uint64_t other : {key_of(2, 2, 3), key_of(1, 3, 2), key_of(1, 2, 4)}) {
    CHECK(wrong_bytes(words.data(), words.size(), other) > 300);
  }
}
