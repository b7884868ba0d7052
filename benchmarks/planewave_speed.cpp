// Fourier transforms of plane waves, for benchmarks/dft_speed.py. Cubic grid of N points, and waves of half of the
// grid's greatest wave number. One JSON object is printed.
//
//   planewave_speed local N ROUNDS                a rank: beside FFTW's own transform of three dimensions, in turn
//   planewave_speed merged N ROWS COLUMNS ROUNDS  ranks: messages of 8 bands beside messages of one, in turn
//
// local: milliseconds a band, medians; FFTW's plans (FFTW_MEASURE) are those from one array to another and in place.
// merged: microseconds a band, medians over rounds of the slowest rank: of the alltoalls, each after a barrier outside
// of the time, and of transforms there and back.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>

#include "base/error.hpp"
#include "base/random.hpp"
#include "in_turn.hpp"
#include "numerics/fft.hpp"
#include "transform.hpp"

namespace {

using namespace tenken;
using namespace tenken::planewave;
using Numbers = std::vector<Complex>;

Sphere half_sphere(int n, RankGrid ranks, int rank) {
  const dft::Grid grid{{n, n, n}, {1.0 * n, 1.0 * n, 1.0 * n}};
  const double greatest = std::numbers::pi;  // pi / spacing
  return {grid, {}, greatest * greatest / 4 / 2, ranks, rank};
}

void fill(Numbers& numbers) {
  const RandomStream random(7, numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = {random.uniform(2 * i) - 0.5, random.uniform(i) - 0.5};
}

void local(int n, int rounds) {
  constexpr int bands = 4;
  const Sphere sphere = half_sphere(n, {}, 0);
  Transform transform(sphere, MPI_COMM_SELF, MPI_COMM_SELF, 1);
  const auto points = static_cast<std::size_t>(sphere.points());
  Numbers waves(bands * static_cast<std::size_t>(sphere.waves())), field(bands * points);
  std::vector<Numbers> from(bands, Numbers(points)), to(bands, Numbers(points)), place(bands, Numbers(points));
  std::array<std::vector<ComplexFft>, 2> apart, in_place;  // backward, forward
  for (const std::size_t way : {0U, 1U}) {
    const Direction direction = way == 0 ? Direction::backward : Direction::forward;
    for (std::size_t b = 0; b < bands; ++b) {
      apart[way].emplace_back(std::vector{n, n, n}, from[b].data(), to[b].data(), direction);
      in_place[way].emplace_back(std::vector{n, n, n}, place[b].data(), place[b].data(), direction);
    }
  }
  for (Numbers& one : from) fill(one);
  const Numbers given = from[0];
  fill(waves);
  const auto all = [](const std::vector<ComplexFft>& plans) {
    for (const ComplexFft& plan : plans) plan.run();
  };
  const auto ticks = times_in_turn<6>(rounds,
                                      {[&] {
                                         for (int b = 0; b < bands; ++b)
                                           transform.to_points(1, waves.data() + b * sphere.waves(), sphere.waves(),
                                                               field.data() + b * sphere.points());
                                       },
                                       [&] { all(apart[0]); }, [&] { all(in_place[0]); },
                                       [&] {
                                         for (int b = 0; b < bands; ++b)
                                           transform.to_waves(1, field.data() + b * sphere.points(),
                                                              waves.data() + b * sphere.waves(), sphere.waves());
                                       },
                                       [&] { all(apart[1]); }, [&] { all(in_place[1]); }},
                                      [&] {
                                        for (Numbers& one : place) one = given;
                                      });
  const Clock clock;
  const auto ms = [&](std::size_t i) { return median(ticks[i]) * clock.ns_per_tick() * 1e-6 / bands; };
  const double flop = static_cast<double>(transform.lines().flop);
  std::printf(
      "{\"points\": %d, \"waves\": %ld, \"to_points\": %.4f, \"fftw_backward\": %.4f, \"fftw_backward_in_place\": "
      "%.4f, "
      "\"to_waves\": %.4f, \"fftw_forward\": %.4f, \"fftw_forward_in_place\": %.4f, \"gflops\": %.2f}\n",
      n, static_cast<long>(sphere.waves()), ms(0), ms(1), ms(2), ms(3), ms(4), ms(5), flop * 2e-6 / (ms(0) + ms(3)));
}

// Times of alltoalls, each after a barrier.
struct Alltoalls : Watch {
  explicit Alltoalls(MPI_Comm among) : ranks(among) {}
  static bool alltoall(Phase phase) {
    return phase == Phase::inverse_alltoall1 || phase == Phase::inverse_alltoall2 || phase == Phase::direct_alltoall1 ||
           phase == Phase::direct_alltoall2;
  }
  void enter(Phase phase, const Work&) override {
    if (!alltoall(phase)) return;
    MPI_Barrier(ranks);
    begin = ticks_now();
  }
  void leave(Phase phase) override {
    if (alltoall(phase)) ticks.push_back(static_cast<double>(ticks_now() - begin));
  }
  std::vector<double> taken() { return std::exchange(ticks, {}); }

  MPI_Comm ranks;
  std::int64_t begin = 0;
  std::vector<double> ticks;
};

void merged(int n, RankGrid ranks, int rounds) {
  constexpr int bands = 8;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const Sphere sphere = half_sphere(n, ranks, rank);
  MPI_Comm rows = MPI_COMM_NULL, columns = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, sphere.column(), rank, &rows);
  MPI_Comm_split(MPI_COMM_WORLD, sphere.row(), rank, &columns);
  Alltoalls watch(MPI_COMM_WORLD);
  Transform single(sphere, rows, columns, 1), many(sphere, rows, columns, bands);
  Transform single_watched(sphere, rows, columns, 1, &watch), many_watched(sphere, rows, columns, bands, &watch);
  Numbers waves(bands * static_cast<std::size_t>(sphere.waves()));
  Numbers field(bands * static_cast<std::size_t>(sphere.points()));
  fill(waves);
  const auto there_and_back = [&](Transform& transform, int merge) {
    for (int b = 0; b < bands; b += merge) {
      Complex* points = field.data() + b * sphere.points();
      transform.to_points(merge, waves.data() + b * sphere.waves(), sphere.waves(), points);
      transform.to_waves(merge, points, waves.data() + b * sphere.waves(), sphere.waves());
    }
  };
  auto ticks = times_in_turn<2>(rounds, {[&] { there_and_back(single, 1); }, [&] { there_and_back(many, bands); }},
                                [] { MPI_Barrier(MPI_COMM_WORLD); });
  std::array<std::vector<double>, 2> alltoalls;
  const auto add = [&](std::vector<double>& to) {
    for (const double one : watch.taken()) to.push_back(one);
  };
  times_in_turn<2>(rounds,
                   {[&] {
                      there_and_back(single_watched, 1);
                      add(alltoalls[0]);
                    },
                    [&] {
                      there_and_back(many_watched, bands);
                      add(alltoalls[1]);
                    }},
                   [] { MPI_Barrier(MPI_COMM_WORLD); });
  const Clock clock;
  // Of the slowest rank of each call.
  // [median, tenth of the times that are shorter]
  const auto us = [&](std::vector<double>& of, int of_bands) {
    MPI_Allreduce(MPI_IN_PLACE, of.data(), static_cast<int>(of.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    std::sort(of.begin(), of.end());
    const double unit = clock.ns_per_tick() * 1e-3 / of_bands;
    return std::array<double, 2>{of[of.size() / 2] * unit, of[of.size() / 10] * unit};
  };
  const auto one = us(alltoalls[0], 1), eight = us(alltoalls[1], bands);
  const auto whole_one = us(ticks[0], bands), whole_eight = us(ticks[1], bands);
  if (rank == 0)
    std::printf(
        "{\"points\": %d, \"rows\": %d, \"columns\": %d, \"bytes\": %ld, \"messages_8\": %ld, \"alltoall_1\": [%.2f, "
        "%.2f], "
        "\"alltoall_8\": [%.2f, %.2f], \"transforms_1\": [%.2f, %.2f], \"transforms_8\": [%.2f, %.2f]}\n",
        n, ranks.rows, ranks.columns,
        static_cast<long>(single.row_exchange(1).bytes_written + single.column_exchange(1).bytes_written),
        static_cast<long>(many.row_exchange(bands).messages + many.column_exchange(bands).messages), one[0], one[1],
        eight[0], eight[1], whole_one[0], whole_one[1], whole_eight[0], whole_eight[1]);
  MPI_Comm_free(&rows);
  MPI_Comm_free(&columns);
}

void run(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int at) { return argc > at ? std::atoi(argv[at]) : 0; };
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (what == "local" && argc == 4 && ranks == 1 && number(2) > 1 && number(3) > 0) {
    local(number(2), number(3));
  } else if (what == "merged" && argc == 6 && number(3) * number(4) == ranks && number(2) > 1 && number(5) > 0) {
    merged(number(2), {number(3), number(4)}, number(5));
  } else {
    refuse(
        "usage: planewave_speed local POINTS ROUNDS on 1 rank, or planewave_speed merged POINTS ROWS COLUMNS ROUNDS on "
        "ROWS x COLUMNS ranks");
  }
}

}  // namespace

int main(int argc, char** argv) { return tenken::run_with_mpi(argc, argv, run); }
