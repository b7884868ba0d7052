#include "numerics/block_sell.hpp"

#include <doctest/doctest.h>
#include <omp.h>

#include <set>
#include <string>

#include "base/random.hpp"
#include "numerics/plain.hpp"
#include "testing/counting.hpp"

using namespace tenken;
using tenken::testing::Counted;
using tenken::testing::counted_flop;
using tenken::testing::Watched;

namespace {

using Block3 = Block<double, 3>;

// Rows of 0 to 12 blocks at random places.
struct RandomRows {
  std::vector<std::vector<std::int32_t>> places;
  RandomStream random{11, 3};

  RandomRows(std::int64_t rows, std::int64_t columns) : places(static_cast<std::size_t>(rows)) {
    std::uint64_t m = 0;
    for (auto& row : places) {
      std::set<std::int32_t> chosen;
      for (std::uint64_t wanted = random.bits(m++) % 13; wanted > 0; --wanted) {
        chosen.insert(static_cast<std::int32_t>(random.bits(m++) % static_cast<std::uint64_t>(columns)));
      }
      row.assign(chosen.begin(), chosen.end());
    }
  }
  std::int64_t operator()(std::int64_t i) const {
    return static_cast<std::int64_t>(places[static_cast<std::size_t>(i)].size());
  }
  void operator()(std::int64_t i, std::int32_t* column, Block3* block) const {
    for (const std::int32_t j : places[static_cast<std::size_t>(i)]) {
      *column++ = j;
      for (std::size_t e = 0; e < 9; ++e) {
        block->at[e] = random.uniform(static_cast<std::uint64_t>(i * 1000 + j) * 9 + e) - 0.5;
      }
      ++block;
    }
  }
};

std::vector<double> random_vector(std::int64_t n) {
  const RandomStream random(7, 2);
  std::vector<double> x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = random.uniform(i) - 0.5;
  return x;
}

std::vector<double> flat(const Csr<Block3>& a) {
  std::vector<double> values;
  for (const Block3& block : a.value) values.insert(values.end(), block.at.begin(), block.at.end());
  return values;
}

}  // namespace

TEST_CASE("products of blocks agree with the plain one for every chunk, length and number of threads") {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {7, 5}, {203, 150}}) {
    const RandomRows random(rows, columns);
    const auto csr = make_csr<Block3>(rows, columns, random, random);
    const std::vector<double> value = flat(csr), x = random_vector(3 * columns);
    std::vector<double> expected(static_cast<std::size_t>(3 * rows)), first;
    plain::multiply_blocks<3>(rows, csr.begin, csr.column, value, x, expected);
    for (const int c : {2, 4, 8, 16}) {
      const auto a = make_block_sell<double, 3>(rows, columns, c, random, random);
      CHECK(a.entries == csr.entries());
      CHECK(a.slots() >= a.entries);
      for (const int threads : {1, 2, 3}) {
        omp_set_num_threads(threads);
        std::vector<double> y(expected.size(), -99);
        multiply(a, x.data(), y.data());
        if (first.empty()) first = y;
        CAPTURE(c);
        CHECK(y == first);  // the same bits whatever the storage and the team
        for (std::size_t i = 0; i < y.size(); ++i) REQUIRE(std::abs(y[i] - expected[i]) <= 1e-14);
      }
    }
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("blocks are found where they are, and chunks that cannot be multiplied are refused") {
  const RandomRows random(20, 9);
  const auto a = make_block_sell<double, 3>(20, 9, 4, random, random);
  std::vector<std::int32_t> column(13);
  std::vector<Block3> block(13);
  for (std::int64_t i = 0; i < 20; ++i) {
    random(i, column.data(), block.data());
    for (std::int32_t j = 0; j < 9; ++j) {
      const auto end = column.begin() + random(i);
      const auto at = std::find(column.begin(), end, j);
      const Block3 expected = at == end ? Block3{} : block[static_cast<std::size_t>(at - column.begin())];
      REQUIRE(block_at(a, i, j).at == expected.at);
    }
  }
  CHECK_THROWS_WITH_AS((make_block_sell<double, 3>(20, 9, 3, random, random)),
                       "SELL chunks of 3 block rows cannot be multiplied; use 2, 4, 8 or 16", UserError);
}

TEST_CASE("diagonal blocks multiply as the plain twin, and their inverses take it back") {
  const std::int64_t rows = 1100;
  std::vector<Block3> diagonal(static_cast<std::size_t>(rows)), inverse;
  const RandomStream random(5, 1);
  std::vector<double> value;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    for (std::size_t e = 0; e < 9; ++e) diagonal[i].at[e] = random.uniform(9 * i + e) + (e % 4 == 0 ? 2 : 0);
    value.insert(value.end(), diagonal[i].at.begin(), diagonal[i].at.end());
    inverse.push_back(Lu<double, 3>(diagonal[i]).inverse());
  }
  const std::vector<double> x = random_vector(3 * rows);
  std::vector<double> expected(x.size()), y(x.size(), -99), back(x.size(), -99);
  plain::multiply_diagonal_blocks<3>(rows, value, x, expected);
  multiply(rows, diagonal.data(), x.data(), y.data());
  multiply(rows, inverse.data(), y.data(), back.data());
  for (std::size_t i = 0; i < x.size(); ++i) {
    REQUIRE(std::abs(y[i] - expected[i]) <= 1e-15 * 4);
    REQUIRE(std::abs(back[i] - x[i]) <= 1e-13);
  }
}

TEST_CASE("the stated work of blocks is what the plain products do, counted") {
  const RandomRows random(30, 30);
  const auto csr = make_csr<Block3>(30, 30, random, random);
  Watched<std::int64_t> begin(std::vector(csr.begin.begin(), csr.begin.end()));
  Watched<std::int32_t> column(std::vector(csr.column.begin(), csr.column.end()));
  const std::vector<double> values = flat(csr);
  Watched<Counted> value(std::vector<Counted>(values.begin(), values.end())), x(90), y(90);
  counted_flop = 0;
  plain::multiply_blocks<3>(30, begin, column, value, x, y);
  // Columns that no row names are not read here; the statement counts the vector whole.
  std::set<std::int32_t> named(csr.column.begin(), csr.column.end());
  CHECK(x.read() == 3 * static_cast<std::int64_t>(named.size()));
  CHECK(block_sell_work(30, static_cast<std::int64_t>(named.size()), csr.entries(), 3, 8) ==
        Work{.flop = counted_flop,
             .bytes_read = 8 * value.read() + 4 * column.read() + 8 * x.read(),
             .bytes_written = 8 * y.written()});

  Watched<Counted> diagonal(270), in(90), out(90);
  counted_flop = 0;
  plain::multiply_diagonal_blocks<3>(30, diagonal, in, out);
  CHECK(block_diagonal_work(30, 3, 8) == Work{.flop = counted_flop,
                                              .bytes_read = 8 * diagonal.read() + 8 * in.read(),
                                              .bytes_written = 8 * out.written()});
}
