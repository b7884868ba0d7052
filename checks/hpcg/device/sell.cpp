#include "device/sell.hpp"

#include <algorithm>

#include "numerics/team.hpp"

namespace tenken::hpcg::device {

namespace {

// Calls use(place of the column, value) for the entries of a row that are in this triangle. No two rows of a colour
// touch, so places order the colours. What others have counts as earlier.
template <class Use>
void in_triangle(const Csr<double>& a, const Places& places, std::int64_t place, bool upper, const Use& use) {
  const std::int32_t row = places.row(place);
  if (row < 0) return;
  for (std::int64_t n = a.row(row).first; n < a.row(row).last; ++n) {
    const std::int32_t column = a.column[static_cast<std::size_t>(n)];
    if (column == row) continue;
    const std::int32_t at = places[column];
    if ((at > place && column < places.rows()) == upper) use(at, a.value[static_cast<std::size_t>(n)]);
  }
}

}  // namespace

Places::Places(const Grid& grid) : rows_(grid.rows()), place_(static_cast<std::size_t>(grid.columns())) {
  const Ordering colours = eight_colours(grid.block().extents());
  begin_.push_back(0);
  for (int colour = 0; colour < colour_count; ++colour) {
    const auto which = static_cast<std::size_t>(colour);
    const std::int64_t from = colours.begin[which];
    size_.push_back(colours.begin[which + 1] - from);
    begin_.push_back(begin_.back() + (size_.back() + chunk - 1) / chunk * chunk);
    row_.resize(static_cast<std::size_t>(begin_.back()), -1);
    for (std::int64_t i = 0; i < size_.back(); ++i) {
      const std::int32_t row = colours.order[static_cast<std::size_t>(from + i)];
      row_[static_cast<std::size_t>(begin_[which] + i)] = row;
      place_[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(begin_[which] + i);
    }
  }
  for (std::int64_t column = rows_; column < grid.columns(); ++column) {
    place_[static_cast<std::size_t>(column)] = static_cast<std::int32_t>(padded() + column - rows_);
  }
}

Sell::Sell(Device& device, const Grid& grid, const Places& places)
    : diagonal_(device, static_cast<std::size_t>(places.padded()), "a diagonal"), of_colour_(colour_count) {
  store(device, grid.matrix(), places, false);
  store(device, grid.matrix(), places, true);
  scale_diagonal(device, places, nullptr);
}

void Sell::store(Device& device, const Csr<double>& a, const Places& places, bool upper) {
  Stored& triangle = upper ? upper_ : lower_;
  const std::int64_t chunks = places.padded() / chunk;
  auto start = make_array<std::int64_t>(chunks + 1, "starts of chunks");
  share(chunks, [&](Range mine) {
    for (std::int64_t k = mine.first; k < mine.last; ++k) {
      std::int64_t widest = 0;
      for (std::int64_t place = k * chunk; place < (k + 1) * chunk; ++place) {
        std::int64_t entries = 0;
        in_triangle(a, places, place, upper, [&](std::int32_t, double) { ++entries; });
        widest = std::max(widest, entries);
      }
      start[static_cast<std::size_t>(k + 1)] = chunk * widest;
    }
  });
  for (std::int64_t k = 0; k < chunks; ++k) start.data()[k + 1] += start.data()[k];
  const auto slots = static_cast<std::size_t>(start.data()[chunks]);
  triangle.start = {device, static_cast<std::size_t>(chunks + 1), "starts of chunks"};
  triangle.column = {device, slots, "columns of the matrix"};
  triangle.value = {device, slots, "values of the matrix"};
  device.write(triangle.start.data(), start.data(), triangle.start.bytes());
  for (int colour = 0; colour < colour_count; ++colour) {
    const std::int64_t from = places.first(colour) / chunk, to = places.first(colour + 1) / chunk;
    const std::int64_t begin = start.data()[from], size = start.data()[to] - begin;
    auto column = make_array<std::int32_t>(size, "columns of a colour");
    auto value = make_array<double>(size, "values of a colour");
    std::int64_t entries = 0;
#pragma omp parallel for reduction(+ : entries)
    for (std::int64_t place = from * chunk; place < to * chunk; ++place) {
      const std::int64_t k = place / chunk, last = start.data()[k + 1] - begin;
      std::int64_t slot = start.data()[k] - begin + place % chunk;
      in_triangle(a, places, place, upper, [&](std::int32_t at, double x) {
        column.data()[slot] = at;
        value.data()[slot] = x;
        slot += chunk;
        ++entries;
      });
      for (; slot < last; slot += chunk) {
        column.data()[slot] = -1;
        value.data()[slot] = 0;
      }
    }
    device.write(triangle.column.data() + begin, column.data(), static_cast<std::size_t>(size) * sizeof(std::int32_t));
    device.write(triangle.value.data() + begin, value.data(), static_cast<std::size_t>(size) * sizeof(double));
    Part& part = of_colour_[static_cast<std::size_t>(colour)];
    const std::int64_t bytes = 8 * entries + 4 * size + 8 * (to - from + 1);
    part.entries += entries;
    part.bytes += bytes;
    triangle.bytes += bytes;
  }
}

Matrix Sell::matrix() const {
  const auto triangle = [](const Stored& stored) {
    return Triangle{stored.start.data(), stored.column.data(), stored.value.data()};
  };
  return {triangle(lower_), triangle(upper_), diagonal_.data()};
}

void Sell::scale_diagonal(Device& device, const Places& places, const double* by) {
  auto values = make_array<double>(places.padded(), "a diagonal");
  for (std::int64_t place = 0; place < places.padded(); ++place) {
    const std::int32_t row = places.row(place);
    values.data()[place] = (points - 1) * (by == nullptr || row < 0 ? 1 : by[row]);
  }
  device.write(diagonal_.data(), values.data(), diagonal_.bytes());
}

void Sell::queue_sums(Device& device) const {
  for (const bool upper : {false, true}) {
    const Memory<double>& values = of(upper).value;
    device.queue({values.data(), nullptr, static_cast<std::int64_t>(values.size())});
  }
}

}  // namespace tenken::hpcg::device
