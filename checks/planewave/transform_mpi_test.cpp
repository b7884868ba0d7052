// Runs on 6 ranks.
// Fourier transforms of plane waves on every grid of up to 6 ranks: against direct sums, FFTW's transform of three
// dimensions, and themselves.
#include <doctest/doctest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "base/random.hpp"
#include "testing/world.hpp"
#include "transform.hpp"

using namespace tenken;
using namespace tenken::planewave;
using tenken::testing::world_rank;
using tenken::testing::world_ranks;

namespace {

using Numbers = std::vector<Complex>;

struct Case {
  dft::Grid grid;
  dft::Vector k;
  double cut_off;
};
const Case small{{{6, 5, 9}, {6, 5, 9}}, {0.04, -0.05, 0.03}, 3.3};
const Case middle{{{20, 18, 25}, {7, 6, 8}}, {0.1, 0, -0.2}, 14};
const Case even{{{12, 10, 8}, {8, 8, 8}}, {}, 2.9};

// A band on a grid of ranks: its sphere, its communicators, its transform.
struct Place {
  Place(const Case& one, RankGrid ranks, MPI_Comm comm, int merge, Watch* watch = nullptr)
      : rank(rank_in(comm)), sphere(one.grid, one.k, one.cut_off, ranks, rank) {
    MPI_Comm_split(comm, sphere.column(), rank, &rows);
    MPI_Comm_split(comm, sphere.row(), rank, &columns);
    transform = std::make_unique<Transform>(sphere, rows, columns, merge, watch, Effort::estimate);
  }
  ~Place() {
    MPI_Comm_free(&rows);
    MPI_Comm_free(&columns);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;

  static int rank_in(MPI_Comm comm) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    return rank;
  }
  std::size_t waves() const { return static_cast<std::size_t>(sphere.waves()); }
  std::size_t points() const { return static_cast<std::size_t>(sphere.points()); }

  // Numbers of a band that depend on frequency or point and band alone.
  Numbers random_waves(int band) const {
    Numbers all;
    for (const std::array<int, 3>& f : sphere.frequency())
      all.push_back(random(static_cast<std::uint64_t>(((f[0] + 99) * 200 + f[1] + 99) * 200 + f[2] + 99), band));
    return all;
  }
  Numbers random_points(int band) const {
    Numbers all;
    for (const std::int64_t at : sphere.grid_points()) all.push_back(random(static_cast<std::uint64_t>(at), band));
    return all;
  }
  static Complex random(std::uint64_t at, int band) {
    const RandomStream stream(5, static_cast<std::uint64_t>(band));
    return {stream.uniform(2 * at) - 0.5, stream.uniform(2 * at + 1) - 0.5};
  }

  Numbers to_points(Numbers waves) const {
    Numbers found(points());
    transform->to_points(1, waves.data(), sphere.waves(), found.data());
    return found;
  }
  Numbers to_waves(Numbers points) const {
    Numbers found(waves());
    transform->to_waves(1, points.data(), found.data(), sphere.waves());
    return found;
  }

  int rank;
  Sphere sphere;
  MPI_Comm rows = MPI_COMM_NULL, columns = MPI_COMM_NULL;
  std::unique_ptr<Transform> transform;
};

// body(comm, grid of ranks) for every grid of 1, 2, 3, 4 and 6 ranks that these ranks permit, but those with more rows
// than `most_rows`.
void on_grids(int most_rows, const std::function<void(MPI_Comm, RankGrid)>& body) {
  for (const int ranks : {1, 2, 3, 4, 6}) {
    if (ranks > world_ranks()) continue;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() < ranks ? 0 : MPI_UNDEFINED, world_rank(), &comm);
    if (comm == MPI_COMM_NULL) continue;
    for (int rows = 1; rows <= std::min(ranks, most_rows); ++rows) {
      CAPTURE(ranks);
      CAPTURE(rows);
      if (ranks % rows == 0) body(comm, {rows, ranks / rows});
    }
    MPI_Comm_free(&comm);
  }
}

// Greatest difference over greatest expected number.
double error_of(const Numbers& found, const Numbers& expected) {
  REQUIRE(found.size() == expected.size());
  double greatest = 0, error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    greatest = std::max(greatest, std::abs(expected[i]));
    const double off = std::abs(found[i] - expected[i]);
    error = off <= error ? error : off;  // not a number stays
  }
  return error / greatest;
}

double norm(const Numbers& numbers) {
  double sum = 0;
  for (const Complex& one : numbers) sum += std::norm(one);
  return sum;
}

// exp(2 pi i sum over the axes of f point / n); products modulo n, so that the angle is exact to rounding.
Complex phase(const dft::Grid& grid, const std::array<int, 3>& f, std::int64_t point) {
  const std::int64_t nz = grid.points[2], ny = grid.points[1];
  const std::array<std::int64_t, 3> at{point / (ny * nz), point / nz % ny, point % nz};
  double turns = 0;
  for (std::size_t d = 0; d < 3; ++d) turns += static_cast<double>(f[d] * at[d] % grid.points[d]) / grid.points[d];
  return std::polar(1.0, 2 * std::numbers::pi * turns);
}

TEST_CASE("both directions are the direct sums of a grid of 6 x 5 x 9 points") {
  const Place whole(small, {}, MPI_COMM_SELF, 1);
  const Numbers all_waves = whole.random_waves(0), all_points = whole.random_points(1);
  const std::vector<std::int64_t> grid_points = whole.sphere.grid_points();
  on_grids(5, [&](MPI_Comm comm, RankGrid ranks) {
    const Place place(small, ranks, comm, 1);
    Numbers sums;
    for (const std::int64_t point : place.sphere.grid_points()) {
      Complex sum{};
      for (std::size_t g = 0; g < all_waves.size(); ++g)
        sum += all_waves[g] * phase(small.grid, whole.sphere.frequency()[g], point);
      sums.push_back(sum);
    }
    CHECK(error_of(place.to_points(place.random_waves(0)), sums) < 1e-13);

    sums.clear();
    for (const std::array<int, 3>& f : place.sphere.frequency()) {
      Complex sum{};
      for (std::size_t r = 0; r < all_points.size(); ++r)
        sum += all_points[r] * std::conj(phase(small.grid, f, grid_points[r]));
      sums.push_back(sum / static_cast<double>(all_points.size()));
    }
    CHECK(error_of(place.to_waves(place.random_points(1)), sums) < 1e-13);
  });
}

TEST_CASE("both directions are FFTW's transform of three dimensions on larger grids, for any ranks") {
  for (const Case& one : {middle, even}) {
    const Place whole(one, {}, MPI_COMM_SELF, 1);
    const int nx = one.grid.points[0], ny = one.grid.points[1], nz = one.grid.points[2];
    const auto box_index = [&](const std::array<int, 3>& f) {
      return static_cast<std::size_t>((((f[0] + nx) % nx) * ny + (f[1] + ny) % ny) * nz + (f[2] + nz) % nz);
    };
    Numbers box(static_cast<std::size_t>(one.grid.size())), spectrum(box.size());
    const ComplexFft backward({nx, ny, nz}, box.data(), box.data(), Direction::backward, Effort::estimate);
    const ComplexFft forward({nx, ny, nz}, spectrum.data(), spectrum.data(), Direction::forward, Effort::estimate);
    const Numbers waves = whole.random_waves(2);
    std::fill(box.begin(), box.end(), Complex{});
    for (std::size_t g = 0; g < waves.size(); ++g) box[box_index(whole.sphere.frequency()[g])] = waves[g];
    backward.run();
    for (std::size_t r = 0; r < spectrum.size(); ++r) spectrum[r] = Place::random(r, 3);
    forward.run();
    on_grids(6, [&](MPI_Comm comm, RankGrid ranks) {
      const Place place(one, ranks, comm, 1);
      Numbers expected;
      for (const std::int64_t at : place.sphere.grid_points()) expected.push_back(box[static_cast<std::size_t>(at)]);
      CHECK(error_of(place.to_points(place.random_waves(2)), expected) < 1e-13);
      expected.clear();
      for (const std::array<int, 3>& f : place.sphere.frequency())
        expected.push_back(spectrum[box_index(f)] / static_cast<double>(box.size()));
      CHECK(error_of(place.to_waves(place.random_points(3)), expected) < 1e-13);
    });
  }
}

TEST_CASE("a random band comes back, and its norm is that of its points (Parseval)") {
  for (const Case& one : {small, middle, even}) {
    on_grids(5, [&](MPI_Comm comm, RankGrid ranks) {
      const Place place(one, ranks, comm, 1);
      const Numbers waves = place.random_waves(4);
      const Numbers points = place.to_points(waves);
      CHECK(error_of(place.to_waves(points), waves) < 1e-13);
      std::array<double, 2> norms{norm(waves), norm(points)};
      MPI_Allreduce(MPI_IN_PLACE, norms.data(), 2, MPI_DOUBLE, MPI_SUM, comm);
      CHECK(std::abs(norms[1] / static_cast<double>(one.grid.size()) / norms[0] - 1) < 1e-13);
    });
  }
}

// Eight bands in messages of up to `merge`, 7 numbers between bands of waves, [to points, and back].
std::pair<Numbers, Numbers> eight_bands(const Place& place, int merge) {
  const auto stride = place.sphere.waves() + 7;
  Numbers waves(static_cast<std::size_t>(8 * stride), Complex(3, 4)), points(8 * place.points());
  for (int band = 0; band < 8; ++band) {
    const Numbers one = place.random_waves(band);
    std::copy(one.begin(), one.end(), waves.begin() + band * stride);
  }
  for (int band = 0; band < 8; band += merge)
    place.transform->to_points(std::min(merge, 8 - band), waves.data() + band * stride, stride,
                               points.data() + band * place.sphere.points());
  Numbers worked = points, back(waves.size(), Complex(3, 4));
  for (int band = 0; band < 8; band += merge)
    place.transform->to_waves(std::min(merge, 8 - band), worked.data() + band * place.sphere.points(),
                              back.data() + band * stride, stride);
  CHECK(error_of(back, waves) < 1e-13);
  for (int band = 0; band < 8; ++band) {
    const auto gap = back.begin() + band * stride + place.sphere.waves();
    CHECK(std::count(gap, gap + 7, Complex(3, 4)) == 7);
    const auto own = points.begin() + band * place.sphere.points();
    CHECK(error_of({own, own + place.sphere.points()}, place.to_points(place.random_waves(band))) == 0);
  }
  return {points, back};
}

TEST_CASE("messages of 1, 3 and 8 bands give the same bits, and so does one thread or three") {
  on_grids(6, [&](MPI_Comm comm, RankGrid ranks) {
    const auto with = [&](int merge, int threads) {
      const int before = omp_get_max_threads();
      omp_set_num_threads(threads);
      const Place place(middle, ranks, comm, merge);
      omp_set_num_threads(before);
      return eight_bands(place, merge);
    };
    const auto one = with(1, 1);
    CHECK(with(3, 1) == one);
    CHECK(with(8, 1) == one);
    CHECK(with(3, 3) == one);
  });
}

// Counts what a transform reports.
struct Counter : Watch {
  void enter(Phase phase, const Work& work) override {
    open.push_back(phase);
    order.push_back(phase);
    flop += work.flop;
    bytes_read += work.bytes_read;
    bytes_written += work.bytes_written;
    messages += work.messages;
  }
  void leave(Phase phase) override {
    REQUIRE(open.back() == phase);
    open.pop_back();
  }
  std::vector<Phase> open, order;
  std::int64_t flop = 0, bytes_read = 0, bytes_written = 0, messages = 0;
};

TEST_CASE("phases follow each other as the header lists them") {
  on_grids(6, [&](MPI_Comm comm, RankGrid ranks) {
    Counter counter;
    const Place place(even, ranks, comm, 2, &counter);
    Numbers waves(2 * place.waves()), points(2 * place.points());
    place.transform->to_points(2, waves.data(), place.sphere.waves(), points.data());
    place.transform->to_waves(2, points.data(), waves.data(), place.sphere.waves());
    std::vector<Phase> expected{Phase::fft_inverse, Phase::inverse_lines};
    if (ranks.columns > 1) expected.insert(expected.end(), {Phase::inverse_alltoall1, Phase::inverse_lines});
    if (ranks.rows > 1) expected.insert(expected.end(), {Phase::inverse_alltoall2, Phase::inverse_lines});
    expected.insert(expected.end(), {Phase::fft_direct, Phase::direct_lines});
    if (ranks.rows > 1) expected.insert(expected.end(), {Phase::direct_alltoall1, Phase::direct_lines});
    if (ranks.columns > 1) expected.insert(expected.end(), {Phase::direct_alltoall2, Phase::direct_lines});
    CHECK(counter.order == expected);
    CHECK(counter.open.empty());
    CHECK(counter.flop == 4 * place.transform->lines().flop);
    const Work row = place.transform->row_exchange(2), column = place.transform->column_exchange(2);
    const std::int64_t both = row.bytes_read + row.bytes_written + column.bytes_read + column.bytes_written;
    CHECK(counter.bytes_read == both);
    CHECK(counter.bytes_written == both);
    CHECK(counter.messages == 2 * (row.messages + column.messages));
  });
}

TEST_CASE("work is that of a count of lines and of numbers that change ranks") {
  on_grids(6, [&](MPI_Comm comm, RankGrid ranks) {
    const Place place(even, ranks, comm, 3);
    const auto of_line = [](int n) { return std::llround(5 * n * std::log2(n)); };
    std::int64_t lines = 0, row_sent = 0, column_sent = 0;
    for (const std::array<int, 3>& f : place.sphere.frequency()) {
      // The first wave of a stick stands for it.
      const auto same = [&](const std::array<int, 3>& other) { return f[0] == other[0] && f[1] == other[1]; };
      if (&*std::find_if(place.sphere.frequency().begin(), place.sphere.frequency().end(), same) != &f) continue;
      lines += of_line(8);
      for (int z = 0; z < 8; ++z) row_sent += z < place.sphere.z().first || z >= place.sphere.z().last ? 3 * 16 : 0;
    }
    for (std::int64_t z = 0; z < place.sphere.z().size(); ++z) {
      for (std::size_t x = 0; x < place.sphere.x_of_row(place.sphere.row()).size(); ++x) {
        lines += of_line(10);
        for (int y = 0; y < 10; ++y)
          column_sent += y < place.sphere.y().first || y >= place.sphere.y().last ? 3 * 16 : 0;
      }
      for (std::int64_t y = 0; y < place.sphere.y().size(); ++y) lines += of_line(12);
    }
    CHECK(place.transform->lines().flop == lines);
    const Work row = place.transform->row_exchange(3), column = place.transform->column_exchange(3);
    CHECK(row.bytes_written == row_sent);
    CHECK(column.bytes_written == column_sent);
    CHECK(row.messages == ranks.columns - 1);
    CHECK(column.messages == ranks.rows - 1);
    // All that is sent arrives.
    std::array<std::int64_t, 4> sums{row.bytes_written, row.bytes_read, column.bytes_written, column.bytes_read};
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 4, MPI_INT64_T, MPI_SUM, comm);
    CHECK(sums[0] == sums[1]);
    CHECK(sums[2] == sums[3]);
  });
}

TEST_CASE("a grid of ranks with more rows than x, bands beyond the message and wrong communicators are refused") {
  if (world_ranks() >= 6) CHECK_THROWS_AS(Place(small, {6, 1}, MPI_COMM_WORLD, 1), UserError);
  CHECK_THROWS_WITH_AS(Place(small, {}, MPI_COMM_SELF, 0), "messages of 0 bands do not exist; merge at least 1 band",
                       UserError);
  CHECK_THROWS_WITH_AS(Place(middle, {}, MPI_COMM_SELF, 2'000'000),
                       "messages of 2000000 bands have more numbers than MPI counts; merge fewer bands", UserError);
  const Place place(small, {}, MPI_COMM_SELF, 2);
  Numbers waves(3 * place.waves()), points(3 * place.points());
  const std::int64_t stride = place.sphere.waves();
  CHECK_THROWS_AS(place.transform->to_points(3, waves.data(), stride, points.data()), std::invalid_argument);
  CHECK_THROWS_AS(place.transform->to_points(0, waves.data(), stride, points.data()), std::invalid_argument);
  CHECK_THROWS_AS(place.transform->to_waves(1, points.data(), waves.data(), stride - 1), std::invalid_argument);
  const Sphere two(small.grid, small.k, small.cut_off, {1, 2}, 0);
  CHECK_THROWS_AS(Transform(two, MPI_COMM_SELF, MPI_COMM_SELF, 1), std::invalid_argument);
}

TEST_CASE("memory is that of the formula") {
  // One rank: the lines along y of one band, and the scratch of a thread: a group of 4 sticks, two tiles of 8 lines and
  // 20 numbers more, sticks of the fullest x in groups of 4; lines along z of 9 numbers take 12.
  const Sphere sphere(small.grid, small.k, small.cut_off, {}, 0);
  const auto of_x = [&](int x) {
    return std::count_if(sphere.sticks().begin(), sphere.sticks().end(), [&](const Stick& s) { return s.x == x; });
  };
  std::int64_t most = 0;
  for (int x = 0; x < 5; ++x) most = std::max<std::int64_t>(most, of_x(x));
  CHECK(most == 5);
  CHECK(Transform::bytes(sphere, 4, 2) == 16 * (5 * 5 * 9 + 2 * (4 * 12 + 2 * (8 * 6 + 20) + 8 * 12)));
}

}  // namespace
