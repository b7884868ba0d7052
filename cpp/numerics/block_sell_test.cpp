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

// Rows of stored blocks with random values, ascending, where places names their columns.
struct Rows {
  std::vector<std::vector<std::int32_t>> places;
  RandomStream random{11, 3};

  std::int64_t size() const { return static_cast<std::int64_t>(places.size()); }
  void operator()(std::int64_t i, std::vector<std::int32_t>& columns) const {
    const auto& row = places[static_cast<std::size_t>(i)];
    columns.insert(columns.end(), row.begin(), row.end());
  }
  void operator()(std::int64_t i, Block3* block) const {
    for (const std::int32_t j : places[static_cast<std::size_t>(i)]) *block++ = at(i, j);
  }
  Block3 at(std::int64_t i, std::int64_t j) const {
    Block3 block;
    for (std::size_t e = 0; e < 9; ++e) {
      block.at[e] = random.uniform(static_cast<std::uint64_t>(i * 1000 + j) * 9 + e) - 0.5;
    }
    return block;
  }
  Csr<Block3> csr(std::int64_t columns) const {
    return make_csr<Block3>(
        size(), columns,
        [&](std::int64_t i) { return static_cast<std::int64_t>(places[static_cast<std::size_t>(i)].size()); },
        [&](std::int64_t i, std::int32_t* column, Block3* block) {
          std::copy(places[static_cast<std::size_t>(i)].begin(), places[static_cast<std::size_t>(i)].end(), column);
          (*this)(i, block);
        });
  }
};

// 0 to 12 blocks a row.
Rows random_rows(std::int64_t rows, std::int64_t columns) {
  Rows all;
  const RandomStream random(11, 4);
  std::uint64_t m = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    std::set<std::int32_t> chosen;
    for (std::uint64_t wanted = random.bits(m++) % 13; wanted > 0; --wanted) {
      chosen.insert(static_cast<std::int32_t>(
          i + static_cast<std::int64_t>(random.bits(m++) % static_cast<std::uint64_t>(columns - i))));
    }
    all.places.emplace_back(chosen.begin(), chosen.end());
  }
  return all;
}

// Of a mesh of 11 x 3 nodes in each of `layers` layers, each node beside 27; the last layer is that of another rank.
Rows mesh_rows(std::int32_t layers) {
  Rows all;
  for (std::int32_t i = 0; i < 33 * (layers - 1); ++i) {
    all.places.emplace_back();
    for (std::int32_t j = i; j < 33 * layers; ++j) {
      const bool beside =
          std::abs(i % 11 - j % 11) <= 1 && std::abs(i / 11 % 3 - j / 11 % 3) <= 1 && j / 33 - i / 33 <= 1;
      if (beside) all.places.back().push_back(j);
    }
  }
  return all;
}

BlockSell<double, 3> sell(const Rows& rows, std::int64_t columns, int c) {
  return make_block_sell<double, 3>(rows.size(), columns, c, rows, rows);
}

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

TEST_CASE("products of blocks agree with the plain one for every chunk, length, number of parts and of threads") {
  const std::pair<Rows, std::int64_t> matrices[] = {
      {random_rows(1, 1), 1}, {random_rows(5, 7), 7}, {random_rows(203, 250), 250}, {mesh_rows(5), 165}};
  for (const auto& matrix : matrices) {
    const Rows& rows = matrix.first;
    const std::int64_t columns = matrix.second;
    const auto csr = rows.csr(columns);
    const std::vector<double> value = flat(csr), x = random_vector(3 * columns);
    std::vector<double> expected(static_cast<std::size_t>(3 * rows.size()));
    plain::multiply_symmetric_blocks<3>(rows.size(), csr.begin, csr.column, value, x, expected);
    for (const int c : {2, 4, 8, 16}) {
      for (const int parts : {1, 2, 3, 7, 40}) {
        omp_set_num_threads(parts);
        auto a = sell(rows, columns, c);
        CAPTURE(c);
        CAPTURE(parts);
        CHECK(a.parts() == parts);
        CHECK(a.entries == csr.entries());
        CHECK(a.slots() >= a.entries);
        std::vector<double> first;
        for (const int threads : {1, 2, 3}) {
          omp_set_num_threads(threads);
          std::vector<double> y(expected.size(), -99);
          multiply(a, x.data(), y.data());
          if (first.empty()) first = y;
          CHECK(y == first);  // the same bits whatever the team
        }
        for (std::size_t i = 0; i < first.size(); ++i) REQUIRE(std::abs(first[i] - expected[i]) <= 1e-14);
      }
    }
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("blocks are found where they are, and chunks that cannot be multiplied are refused") {
  const Rows rows = random_rows(20, 29);
  const auto a = sell(rows, 29, 4);
  for (std::int64_t i = 0; i < 20; ++i) {
    for (std::int32_t j = 0; j < 29; ++j) {
      const std::int64_t row = std::min<std::int64_t>(i, j), column = std::max<std::int64_t>(i, j);
      const auto& places = rows.places[static_cast<std::size_t>(row)];
      const bool stored = std::count(places.begin(), places.end(), column) > 0;
      for (int e = 0; e < 9; ++e) {
        const double expected = stored ? rows.at(row, column)(j < i ? e % 3 : e / 3, j < i ? e / 3 : e % 3) : 0;
        REQUIRE(block_at(a, i, j)(e / 3, e % 3) == expected);
      }
    }
  }
  CHECK_THROWS_WITH_AS(sell(rows, 29, 3), "SELL chunks of 3 block rows cannot be multiplied; use 2, 4, 8 or 16",
                       UserError);
}

TEST_CASE("slots of a mesh are diagonals but where lines end") {
  const auto a = sell(mesh_rows(9), 297, 4);
  CHECK(a.fill() > 0.85);
  // One index for four blocks, and four more for a fifth of these at most.
  CHECK(4 * a.indices < 1.8 * static_cast<double>(a.slots()));
  CHECK(a.indices >= a.slots() / 4);
  for (std::int64_t k = 0; k < a.chunks; ++k) {
    const auto begin = a.lead.data() + a.begin[static_cast<std::size_t>(k)] / 4;
    const auto outside = a.lead.data() + a.outside[static_cast<std::size_t>(k)] / 4;
    // Neighbours in the order have no column in common, where there are diagonals of three layers.
    if (outside - begin < 13) continue;
    for (auto next = begin + 1; next + 1 < outside; ++next) {
      if (next[0] >= 0 && next[1] >= 0) CHECK(std::abs(next[1] - next[0]) >= 4);
    }
  }
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
  const Rows rows = mesh_rows(3);
  const auto csr = rows.csr(99);
  const auto a = sell(rows, 99, 8);
  Watched<std::int64_t> begin(std::vector(csr.begin.begin(), csr.begin.end()));
  Watched<std::int32_t> column(std::vector(csr.column.begin(), csr.column.end()));
  const std::vector<double> values = flat(csr);
  Watched<Counted> value(std::vector<Counted>(values.begin(), values.end())), x(297), y(198);
  counted_flop = 0;
  plain::multiply_symmetric_blocks<3>(66, begin, column, value, x, y);
  CHECK(column.read() == a.entries);
  CHECK(a.indices == static_cast<std::int64_t>(a.lead.size()) + 8 * std::count(a.lead.begin(), a.lead.end(), -1));
  CHECK(block_sell_work(a) == Work{.flop = counted_flop,
                                   .bytes_read = 8 * value.read() + 4 * a.indices + 8 * x.read(),
                                   .bytes_written = 8 * y.written()});

  Watched<Counted> diagonal(270), in(90), out(90);
  counted_flop = 0;
  plain::multiply_diagonal_blocks<3>(30, diagonal, in, out);
  CHECK(block_diagonal_work(30, 3, 8) == Work{.flop = counted_flop,
                                              .bytes_read = 8 * diagonal.read() + 8 * in.read(),
                                              .bytes_written = 8 * out.written()});
}
