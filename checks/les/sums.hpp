// Sums over ranks: of nodes that ranks share (ddcomx), and of single numbers (ddcom2).
#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <vector>

#include "elements.hpp"
#include "parallel/exchange.hpp"
#include "phases.hpp"

namespace les {

// Adds up what the ranks that share a node have in a field of nodes: all of them then have the same bits.
template <class Real>
class NodeSums {
 public:
  NodeSums(MPI_Comm comm, const tenken::Lists& shared)
      : one_(comm, shared, {{sizeof(Real)}}), three_(comm, shared, {{sizeof(Real)}, {sizeof(Real)}, {sizeof(Real)}}) {
    for (const tenken::Neighbour& neighbour : shared.neighbours) {
      for (const std::int32_t node : neighbour.send) lost_.push_back(node);
    }
  }

  void operator()(Real* field) { add(one_, std::array{field}); }
  void operator()(const Three<Real>& fields) { add(three_, fields); }
  void watch(StepWatch* watch) { watch_ = watch; }
  std::int64_t messages() const { return one_.messages(); }
  std::int64_t bytes_of_three() const { return three_.bytes(); }

  // Faults: nothing of others is added; or not to one of the shared nodes.
  void leave_out() { stale_ = true; }
  void lose_a_node() { loses_ = !lost_.empty(); }

 private:
  template <std::size_t n>
  void add(tenken::Exchange& exchange, const std::array<Real*, n>& fields) {
    const InStep whole(watch_, Phase::ddcomx);
    std::array<Real, n> before{};
    {
      const InStep part(watch_, Phase::pack, {.messages = exchange.messages()});
      for (std::size_t i = 0; i < n; ++i) {
        if (loses_) before[i] = fields[i][lost_.front()];
        exchange.pack(i, fields[i]);
      }
      exchange.start();
    }
    {
      const InStep part(watch_, Phase::wait, {.bytes_read = exchange.bytes(), .bytes_written = exchange.bytes()});
      exchange.wait_incoming();
    }
    {
      const InStep part(watch_, Phase::unpack);
      for (std::size_t i = 0; i < n && !stale_; ++i) exchange.template add<Real>(i, fields[i]);
      for (std::size_t i = 0; i < n && loses_; ++i) fields[i][lost_.front()] = before[i];
    }
    const InStep part(watch_, Phase::wait);
    exchange.wait_outgoing();
  }

  tenken::Exchange one_, three_;
  std::vector<std::int32_t> lost_;
  StepWatch* watch_ = nullptr;
  bool stale_ = false, loses_ = false;
};

// Sums of single numbers over all ranks, and how many there were.
class Reductions {
 public:
  explicit Reductions(MPI_Comm comm) : comm_(comm) {}

  void operator()(std::span<double> numbers) {
    const auto n = static_cast<int>(numbers.size());
    const InStep part(watch_, Phase::ddcom2, {.bytes_read = 8 * n, .bytes_written = 8 * n, .messages = 1});
    MPI_Allreduce(MPI_IN_PLACE, numbers.data(), n, MPI_DOUBLE, MPI_SUM, comm_);
    ++count_;
  }
  double operator()(double number) {
    (*this)(std::span(&number, 1));
    return number;
  }
  void watch(StepWatch* watch) { watch_ = watch; }
  std::int64_t count() const { return count_; }

 private:
  MPI_Comm comm_;
  StepWatch* watch_ = nullptr;
  std::int64_t count_ = 0;
};

}  // namespace les
