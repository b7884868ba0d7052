// Where the numbers of a distributed Fourier transform lie between its steps: plain arithmetic for transform.cpp.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/work.hpp"
#include "sphere.hpp"

namespace tenken::planewave::pencil {

inline constexpr int tile = 8;   // lines along y or x that are transformed together
inline constexpr int group = 4;  // sticks that are transformed together
inline constexpr int unit = 4;   // numbers in 64 bytes, by which FFTW's arrays are aligned

inline std::int64_t rounded(std::int64_t n, int to) { return (n + to - 1) / to * to; }

// A stick of an x of this row: which rank of the row has it, and where in the list of that rank.
struct Source {
  int column = 0;
  std::int64_t stick = 0;
  int y = 0;
};

// An x with waves of any row: its place among those of its row.
struct XofRow {
  int x = 0;
  std::int64_t before = 0;  // x of earlier rows
  std::int64_t of_row = 0;  // x of this row
  std::int64_t at = 0;
};

// Where numbers lie. Four forms of a band, each [rank][band][...] so that a message is contiguous:
//   sticks         [column][band][stick of this rank][z of the column]        before alltoall 1 of to_points
//   sticks_of_row  [column][band][stick of the column][z of this rank]        after
//   y_lines        [row][band][x of this row][y of the row][z of this rank]   before alltoall 2
//   x_lines        [row][band][x of the row][y of this rank][z of this rank]  after
// The part that stays on this rank lies in the form after the exchange alone, and the form before has no place for it.
// Where a row is one rank, sticks and sticks_of_row do not exist. Where a column is one rank, x_lines do not: the y
// lines of one band are all that is needed at a time.
struct Layout {
  explicit Layout(const Sphere& sphere)
      : nx(sphere.grid().points[0]),
        ny(sphere.grid().points[1]),
        nz(sphere.grid().points[2]),
        y_first(sphere.y().first),
        z_first(sphere.z().first),
        ys(sphere.y().size()),
        zs(sphere.z().size()),
        own_sticks(static_cast<std::int64_t>(sphere.sticks().size())),
        own_x(static_cast<std::int64_t>(sphere.x_of_row(sphere.row()).size())),
        z_pitch(rounded(nz, unit)),
        sources(static_cast<std::size_t>(own_x)),
        column_before(1, 0) {
    for (int column = 0; column < sphere.ranks().columns; ++column) {
      const std::vector<Stick>& sticks = sphere.sticks_of_column(column);
      for (std::size_t s = 0; s < sticks.size(); ++s)
        sources[static_cast<std::size_t>(sticks[s].x)].push_back({column, static_cast<std::int64_t>(s), sticks[s].y});
      column_before.push_back(column_before.back() + static_cast<std::int64_t>(sticks.size()));
      z_of_column.push_back(sphere.z_of_column(column));
    }
    for (const std::vector<Source>& of_x : sources)
      most_sticks = std::max(most_sticks, static_cast<std::int64_t>(of_x.size()));
    for (int row = 0; row < sphere.ranks().rows; ++row) {
      const std::vector<int>& x = sphere.x_of_row(row);
      const auto before = static_cast<std::int64_t>(all_x.size());
      if (row == sphere.row()) own_x_before = before;
      for (std::size_t i = 0; i < x.size(); ++i)
        all_x.push_back({x[i], before, static_cast<std::int64_t>(x.size()), static_cast<std::int64_t>(i)});
      y_of_row.push_back(sphere.y_of_row(row));
    }
  }

  bool row_is_one() const { return z_of_column.size() == 1; }
  bool column_is_one() const { return y_of_row.size() == 1; }

  // Numbers of each form, of so many bands.
  std::int64_t sticks(int bands) const { return bands * own_sticks * (nz - zs); }
  std::int64_t sticks_of_row(int bands) const { return row_is_one() ? 0 : bands * column_before.back() * zs; }
  std::int64_t y_lines(int bands) const { return column_is_one() ? own_x * ny * zs : bands * own_x * (ny - ys) * zs; }
  std::int64_t x_lines(int bands) const { return column_is_one() ? 0 : bands * std::ssize(all_x) * ys * zs; }
  // sticks and y_lines are never needed at one time.
  std::int64_t before(int bands) const { return std::max(sticks(bands), y_lines(bands)); }

  // First number of a stick, a line of y at the first y of a row, and an x. Sticks are of other
  // ranks, and y lines too where a column is not one rank.
  std::int64_t stick(int bands, int band, std::size_t column, std::int64_t s) const {
    const Range z = z_of_column[column];
    const std::int64_t before = z.first - (z.first > z_first ? zs : 0);
    return bands * own_sticks * before + (band * own_sticks + s) * z.size();
  }
  std::int64_t stick_of_row(int bands, int band, const Source& from) const {
    const auto c = static_cast<std::size_t>(from.column);
    const std::int64_t of_column = column_before[c + 1] - column_before[c];
    return (bands * column_before[c] + band * of_column + from.stick) * zs;
  }
  std::int64_t y_line(int bands, int band, std::int64_t x, const Range& y) const {
    const std::int64_t before = y.first - (y.first > y_first ? ys : 0);
    return (bands * own_x * before + (band * own_x + x) * y.size()) * zs;
  }
  std::int64_t x_line(int bands, int band, const XofRow& x) const {
    return (bands * x.before + band * x.of_row + x.at) * ys * zs;
  }

  // Of one thread. Tiles begin at different places of a page.
  std::int64_t tile_numbers() const { return rounded(std::int64_t{tile} * std::max(nx, ny), unit) + 5 * unit; }
  std::int64_t scratch() const {
    return group * z_pitch + 2 * tile_numbers() + (row_is_one() ? rounded(most_sticks, group) : group) * z_pitch;
  }

  int nx, ny, nz;
  std::int64_t y_first, z_first, ys, zs;  // of this rank
  std::int64_t own_sticks, own_x;
  std::int64_t own_x_before = 0;             // x of earlier rows
  std::int64_t z_pitch;                      // from one line along z to the next
  std::vector<std::vector<Source>> sources;  // [x of this row]
  std::int64_t most_sticks = 0;              // of an x
  std::vector<std::int64_t> column_before;   // sticks of earlier columns; the last: of all
  std::vector<Range> z_of_column, y_of_row;
  std::vector<XofRow> all_x;
};

// One alltoall: counts and displacements of both sides, numbers of one band. Nothing goes from a rank to itself.
struct Exchange {
  struct Side {
    std::vector<std::int64_t> count, first;
    std::int64_t all = 0;  // numbers of the form
    // Of the next rank: n numbers of the form, which are sent or not.
    void add(std::int64_t n, bool sent) {
      first.push_back(all);
      count.push_back(sent ? n : 0);
      all += n;
    }
    std::int64_t bytes() const {
      return std::accumulate(count.begin(), count.end(), std::int64_t{0}) * std::int64_t{sizeof(Complex)};
    }
  };

  Work work(int bands) const {
    return {.bytes_read = bands * to.bytes(),
            .bytes_written = bands * from.bytes(),
            .messages = std::ssize(from.count) - 1};
  }

  MPI_Comm ranks = MPI_COMM_NULL;
  Side from{}, to{};  // as to_points sends and receives
};

}  // namespace tenken::planewave::pencil
