#include "halo.hpp"

#include <vector>

namespace atmosphere {

namespace {

// The values of an item are one piece where they follow each other, else a piece a level.
std::vector<tenken::Field> pieces_of(int fields, int levels, Order order) {
  const auto all = static_cast<std::size_t>(levels);
  if (order == Order::by_column) {
    return std::vector<tenken::Field>(static_cast<std::size_t>(fields), {sizeof(double) * all});
  }
  return std::vector<tenken::Field>(static_cast<std::size_t>(fields) * all, {sizeof(double)});
}

}  // namespace

Halo::Halo(MPI_Comm comm, const Patch& patch, int fields, int levels, Order order)
    : pieces_(order == Order::by_column ? 1 : levels),
      items_(patch.items()),
      exchange_(comm, patch.lists, pieces_of(fields, levels, order)) {}

void Halo::exchange(std::span<double* const> fields, StepWatch* watch) {
  const auto each = [&](const auto& move) {
    std::size_t piece = 0;
    for (double* const field : fields) {
      for (int i = 0; i < pieces_; ++i) move(piece++, field + i * items_);
    }
  };
  const InStep whole(watch, Phase::transfer);
  {
    const InStep part(watch, Phase::pack);
    each([&](std::size_t piece, double* values) { exchange_.pack(piece, values); });
    exchange_.start();
  }
  {
    const InStep part(watch, Phase::wait);
    exchange_.wait_incoming();
  }
  {
    const InStep part(watch, Phase::unpack);
    if (!stale_) each([&](std::size_t piece, double* values) { exchange_.unpack(piece, values); });
  }
  const InStep part(watch, Phase::wait);
  exchange_.wait_outgoing();
}

}  // namespace atmosphere
