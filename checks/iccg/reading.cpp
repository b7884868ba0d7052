#include "reading.hpp"

#include <omp.h>

#include <algorithm>
#include <vector>

#include "base/buffer.hpp"
#include "base/median.hpp"
#include "measure/clock.hpp"
#include "numerics/read_streams.hpp"

namespace iccg {

namespace {

constexpr double sample_seconds = 1e-3;
constexpr int samples_of_reading = 101;

// Sums an array, in turns of all threads.
class Reading {
 public:
  explicit Reading(std::int64_t numbers)
      : numbers_(numbers), array_(static_cast<std::size_t>(numbers), tenken::Pages::huge, "array that is read") {
#pragma omp parallel
    {
      const tenken::Range mine = own();
      std::fill(array_.data() + mine.first, array_.data() + mine.last, 1.0);
    }
  }

  // Median seconds of a pass over the array.
  double seconds(int streams) {
    const double one = seconds_of(1, streams);
    const auto passes = static_cast<int>(std::clamp(sample_seconds / one, 1.0, 1e4));
    std::vector<double> samples;
    for (int n = 0; n < samples_of_reading; ++n) samples.push_back(seconds_of(passes, streams));
    return tenken::median_of(samples);
  }
  double total() const { return total_; }

 private:
  tenken::Range own() const { return tenken::share_of(numbers_, omp_get_thread_num(), omp_get_num_threads()); }

  double seconds_of(int passes, int streams) {
    double total = 0;
    const std::int64_t begin = tenken::monotonic_ns();
#pragma omp parallel reduction(+ : total)
    for (int pass = 0; pass < passes; ++pass) total += tenken::sum_of_streams(own(), array_.data(), streams);
    total_ += total;
    return static_cast<double>(tenken::monotonic_ns() - begin) * 1e-9 / passes;
  }

  std::int64_t numbers_;
  tenken::Buffer<double> array_;
  double total_ = 0;
};

}  // namespace

double moved_bytes(const Solver& solver) {
  double bytes = 0;
  for (int n = 1; n < phases; ++n) {
    const tenken::Work work = solver.work(static_cast<Phase>(n));
    bytes += static_cast<double>(work.bytes_read + work.bytes_written);
  }
  return bytes;
}

void time_reading(tenken::Check& check, const Solver& solver) {
  const auto numbers = solver.working_set_bytes() / static_cast<std::int64_t>(sizeof(double));
  const double bytes = 8.0 * static_cast<double>(numbers);
  check.require_memory(bytes, "array that --read true reads beside the matrix");
  Reading reading(numbers);
  double rate = 0;
  int fastest = 1;
  for (int streams = 1; streams <= tenken::most_streams; streams *= 2) {
    const double here = bytes / reading.seconds(streams);
    if (here <= rate) continue;
    rate = here;
    fastest = streams;
  }
  check.value("read_rate", "B/s", rate);
  check.value("read_streams", "1", fastest);
  check.value("model_iteration", "us", 1e6 * moved_bytes(solver) / rate);
  check.value("sum_of_read", "1", reading.total());  // read for its time: used, so not left out
}

}  // namespace iccg
