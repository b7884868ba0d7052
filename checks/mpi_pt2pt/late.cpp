#include "late.hpp"

#include <algorithm>
#include <array>

#include "measure/clock.hpp"
#include "measure/section.hpp"

namespace mpi_pt2pt {

namespace {
constexpr int tag = 3;
constexpr std::size_t samples = 7;
constexpr double least_delay_us = 100;  // far more than a small message takes, even between nodes
}  // namespace

std::int64_t last_that_does_not(const std::function<bool(std::int64_t)>& waits, std::int64_t largest) {
  std::int64_t low = 0;
  std::int64_t high = largest + 1;  // waits, or is not asked for
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (waits(middle) ? high : low) = middle;
  }
  return low;
}

LateReceiver::LateReceiver(MPI_Comm comm, int partner, std::int64_t largest)
    : comm_(comm),
      partner_(partner),
      largest_(largest),
      message_(static_cast<std::size_t>(largest), tenken::Pages::any, "the messages of mpi_pt2pt") {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  sends_ = rank < partner;
  send_once(largest, 0);  // first touch, connections
  double ready = send_once(largest, 0);
  for (int i = 0; i < 2; ++i) ready = std::min(ready, send_once(largest, 0));
  delay_us_ = agreed(std::max(least_delay_us, 4 * ready));  // no send that waits for nobody is nearly as long
}

double LateReceiver::agreed(double value) {
  if (sends_) {
    MPI_Send(&value, 1, MPI_DOUBLE, partner_, tag, comm_);
  } else {
    MPI_Recv(&value, 1, MPI_DOUBLE, partner_, tag, comm_, MPI_STATUS_IGNORE);
  }
  return value;
}

double LateReceiver::send_once(std::int64_t size, double delay_us) {
  const int bytes = static_cast<int>(size);
  MPI_Sendrecv(nullptr, 0, MPI_BYTE, partner_, tag, nullptr, 0, MPI_BYTE, partner_, tag, comm_, MPI_STATUS_IGNORE);
  tenken::advanced();  // thousands of sends, where a node that is full of work takes long for each
  const std::int64_t start = tenken::monotonic_ns();
  const auto passed = [&] { return static_cast<double>(tenken::monotonic_ns() - start) / 1000; };
  if (!sends_) {
    while (passed() < delay_us) {
    }
    MPI_Recv(message_.data(), bytes, MPI_BYTE, partner_, tag, comm_, MPI_STATUS_IGNORE);
    return 0;
  }
  MPI_Send(message_.data(), bytes, MPI_BYTE, partner_, tag, comm_);
  return passed();
}

double LateReceiver::send_us(std::int64_t size) {
  std::array<double, samples> each{};
  for (double& us : each) us = send_once(size, delay_us_);
  std::nth_element(each.begin(), each.begin() + samples / 2, each.end());
  return agreed(each[samples / 2]);
}

std::int64_t LateReceiver::eager_limit() {
  const auto waits = [&](std::int64_t size) { return send_us(size) > delay_us_ / 2; };
  return waits(largest_) ? last_that_does_not(waits, largest_ - 1) : -1;
}

}  // namespace mpi_pt2pt
