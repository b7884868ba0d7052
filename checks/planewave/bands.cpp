#include "bands.hpp"

namespace tenken::planewave {

std::int64_t BandSplit::before(std::int64_t b) const {
  // Blocks group, group + groups, ... below b.
  const std::int64_t own = b > group ? (b - group + groups - 1) / groups : 0;
  const bool has_last = b == blocks() && own > 0 && owner(b - 1) == group;
  return own * block - (has_last ? b * block - count : 0);
}

const Complex* Panels::send(const BandSplit& split, const Columns& columns, std::int64_t block, Phase of_waves,
                            Phase of_products) {
  const int owner = split.owner(block);
  Complex* panel = columns.column(split.before(block));
  const std::int64_t count = split.range(block).size();
  if (split.groups == 1) return panel;
  if (owner != split.group) {
    room_.resize(static_cast<std::size_t>(split.block * columns.rows));
    panel = room_.data();
  }
  const auto part = [&](Phase phase, std::int64_t first, std::int64_t rows) {
    const std::int64_t bytes = count * rows * static_cast<std::int64_t>(sizeof(Complex));
    const bool sends = owner == split.group;
    const Timed timed(watch_, phase,
                      {.bytes_read = sends ? 0 : bytes, .bytes_written = sends ? bytes : 0, .messages = 1});
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(static_cast<int>(count), static_cast<int>(2 * rows), static_cast<int>(2 * columns.rows), MPI_DOUBLE,
                    &type);
    MPI_Type_commit(&type);
    MPI_Bcast(panel + first, 1, type, owner, groups_.along(Axis::bands));
    MPI_Type_free(&type);
  };
  if (columns.waves > 0) part(of_waves, 0, columns.waves);
  if (columns.rows > columns.waves) part(of_products, columns.waves, columns.rows - columns.waves);
  return panel;
}

void Panels::each(const BandSplit& split, const Columns& columns, Phase of_waves, Phase of_products, const Body& body) {
  if (split.groups == 1) {
    body({0, split.count}, columns.data);
    return;
  }
  for (std::int64_t b = 0; b < split.blocks(); ++b)
    body(split.range(b), send(split, columns, b, of_waves, of_products));
}

}  // namespace tenken::planewave
