// The operations that add up: numbers of double precision, or whole numbers of 4 bytes where a size is no multiple
// of 8.
#pragma once

#include "base/buffer.hpp"
#include "operation.hpp"

namespace mpi_collectives {

template <class Number>
class Reduced : public Operation {
 public:
  // To rank 0 alone, or to all.
  Reduced(MPI_Comm comm, std::size_t numbers, bool to_all);
  void prepare(std::uint64_t sample) override;
  void run() override;
  std::int64_t wrong(std::span<std::int64_t> by_source) const override;
  void spoil() override;
  tenken::Work work() const override;

 private:
  MPI_Comm comm_;
  int rank_ = 0;
  int ranks_ = 1;
  bool to_all_;
  std::uint64_t sample_ = 0;
  tenken::Buffer<Number> given_;
  tenken::Buffer<Number> sum_;
};

extern template class Reduced<double>;
extern template class Reduced<std::int32_t>;

}  // namespace mpi_collectives
