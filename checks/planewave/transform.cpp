#include "transform.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "transform_layout.hpp"
#include "transform_plans.hpp"

namespace tenken::planewave {

using namespace pencil;

namespace {

std::int64_t flop_of(int n) { return std::llround(5.0 * n * std::log2(static_cast<double>(n))); }

// `width` numbers; most are whole tiles, which are copied without a call.
void copy(const Complex* from, int width, Complex* to) {
  if (width == tile) {
    std::memcpy(static_cast<void*>(to), from, tile * sizeof(Complex));
  } else {
    std::copy_n(from, width, to);
  }
}

// What one thread works on: a group of lines along z, two tiles, and transformed sticks: of an x where a row is one
// rank, else a group.
struct Scratch {
  Complex* group;
  Complex* in;
  Complex* out;
  Complex* sticks;  // transformed along z
};

void require_place(MPI_Comm ranks, int size, int place) {
  int is_size = 0, is_place = 0;
  MPI_Comm_size(ranks, &is_size);
  MPI_Comm_rank(ranks, &is_place);
  if (is_size != size || is_place != place)
    throw std::invalid_argument("Transform needs the communicators of a column and of a row of the grid of ranks");
}

}  // namespace

class Transform::Parts {
 public:
  Parts(const Sphere& sphere, MPI_Comm rows, MPI_Comm columns, int merge, Watch* watch, Effort effort)
      : sphere_(sphere),
        at_(sphere),
        merge_(checked(merge)),
        watch_(watch),
        threads_(omp_get_max_threads()),
        backward_(sphere, Direction::backward, effort),
        forward_(sphere, Direction::forward, effort),
        scale_(1 / static_cast<double>(sphere.grid().size())) {
    require_place(rows, sphere.ranks().rows, sphere.row());
    require_place(columns, sphere.ranks().columns, sphere.column());
    row_.ranks = columns;
    for (std::size_t c = 0; c < at_.z_of_column.size(); ++c) {
      const bool other = static_cast<int>(c) != sphere.column();
      row_.from.add(other ? at_.own_sticks * at_.z_of_column[c].size() : 0, other);
      row_.to.add((at_.column_before[c + 1] - at_.column_before[c]) * at_.zs, other);
    }
    column_.ranks = rows;
    for (std::size_t r = 0; r < at_.y_of_row.size(); ++r) {
      const bool other = static_cast<int>(r) != sphere.row();
      column_.from.add(other ? at_.own_x * at_.y_of_row[r].size() * at_.zs : 0, other);
      column_.to.add(std::ssize(sphere.x_of_row(static_cast<int>(r))) * at_.ys * at_.zs, other);
    }
    if (merge * std::max({row_.from.all, row_.to.all, column_.from.all, column_.to.all}) > INT_MAX)
      refuse("messages of " + std::to_string(merge) + " bands have more numbers than MPI counts; merge fewer bands");
    const auto array = [](std::int64_t n) {
      return Buffer<Complex>(static_cast<std::size_t>(n), Pages::huge, "Fourier transforms");
    };
    before_ = array(at_.before(merge));
    sticks_of_row_ = array(at_.sticks_of_row(merge));
    x_lines_ = array(at_.x_lines(merge));
    scratch_ =
        Buffer<Complex>(static_cast<std::size_t>(threads_ * at_.scratch()), Pages::any, "lines of Fourier transforms");
  }

  void to_points(int bands, const Complex* waves, std::int64_t stride, Complex* points) {
    require(bands, stride);
    const Timed whole(watch_, Phase::fft_inverse);
    if (!at_.row_is_one()) {
      {
        const Timed lines(watch_, Phase::inverse_lines, {.flop = bands * z_flop()});
        for (int band = 0; band < bands; ++band) waves_to_sticks(bands, band, waves + band * stride);
      }
      exchange(row_, Phase::inverse_alltoall1, bands, true, sticks_of_row_.data());
    }
    if (!at_.column_is_one()) {
      {
        const Timed lines(watch_, Phase::inverse_lines, {.flop = bands * (y_flop() + fused_z_flop())});
        for (int band = 0; band < bands; ++band) sticks_to_y_lines(bands, band, band, waves + band * stride);
      }
      exchange(column_, Phase::inverse_alltoall2, bands, true, x_lines_.data());
      const Timed lines(watch_, Phase::inverse_lines, {.flop = bands * x_flop()});
      for (int band = 0; band < bands; ++band) x_lines_to_points(bands, band, points + band * sphere_.points());
    } else {
      const Timed lines(watch_, Phase::inverse_lines, {.flop = bands * (x_flop() + y_flop() + fused_z_flop())});
      for (int band = 0; band < bands; ++band) {
        sticks_to_y_lines(bands, band, 0, waves + band * stride);
        x_lines_to_points(bands, 0, points + band * sphere_.points());
      }
    }
  }

  void to_waves(int bands, const Complex* points, Complex* waves, std::int64_t stride) {
    require(bands, stride);
    const Timed whole(watch_, Phase::fft_direct);
    if (!at_.column_is_one()) {
      {
        const Timed lines(watch_, Phase::direct_lines, {.flop = bands * x_flop()});
        for (int band = 0; band < bands; ++band) points_to_x_lines(bands, band, points + band * sphere_.points());
      }
      exchange(column_, Phase::direct_alltoall1, bands, false, x_lines_.data());
      const Timed lines(watch_, Phase::direct_lines, {.flop = bands * (y_flop() + fused_z_flop())});
      for (int band = 0; band < bands; ++band) y_lines_to_sticks(bands, band, band, waves + band * stride);
    } else {
      const Timed lines(watch_, Phase::direct_lines, {.flop = bands * (x_flop() + y_flop() + fused_z_flop())});
      for (int band = 0; band < bands; ++band) {
        points_to_x_lines(bands, 0, points + band * sphere_.points());
        y_lines_to_sticks(bands, band, 0, waves + band * stride);
      }
    }
    if (!at_.row_is_one()) {
      exchange(row_, Phase::direct_alltoall2, bands, false, sticks_of_row_.data());
      const Timed lines(watch_, Phase::direct_lines, {.flop = bands * z_flop()});
      for (int band = 0; band < bands; ++band) sticks_to_waves(bands, band, waves + band * stride);
    }
  }

  void watch(Watch* watch) { watch_ = watch; }
  Work lines() const { return {.flop = x_flop() + y_flop() + z_flop()}; }
  const Exchange& row() const { return row_; }
  const Exchange& column() const { return column_; }

 private:
  static int checked(int merge) {
    if (merge < 1) refuse("messages of " + std::to_string(merge) + " bands do not exist; merge at least 1 band");
    return merge;
  }
  void require(int bands, std::int64_t stride) const {
    if (bands < 1 || bands > merge_ || stride < sphere_.waves())
      throw std::invalid_argument("Transform takes 1 band to as many as it merges, at least their waves apart");
  }

  std::int64_t z_flop() const { return at_.own_sticks * flop_of(at_.nz); }
  std::int64_t y_flop() const { return at_.own_x * at_.zs * flop_of(at_.ny); }
  std::int64_t x_flop() const { return at_.ys * at_.zs * flop_of(at_.nx); }
  // Of the stretch that transforms y: where a row is one rank, z belongs to it.
  std::int64_t fused_z_flop() const { return at_.row_is_one() ? z_flop() : 0; }

  template <class Body>
  void in_parallel(std::int64_t n, const Body& body) {
#pragma omp parallel num_threads(threads_)
    {
      Complex* at = scratch_.data() + omp_get_thread_num() * at_.scratch();
      Scratch mine{};
      mine.group = at, at += group * at_.z_pitch;
      mine.in = at, at += at_.tile_numbers();
      mine.out = at, at += at_.tile_numbers();
      mine.sticks = at;
      body(share_of(n, omp_get_thread_num(), omp_get_num_threads()), mine);
    }
  }

  // Between the form before an exchange and that after.
  void exchange(const Exchange& along, Phase phase, int bands, bool towards_points, Complex* after) {
    const auto counted = [&](const std::vector<std::int64_t>& one_band) {
      std::vector<int> all;
      for (const std::int64_t n : one_band) all.push_back(static_cast<int>(bands * n));
      return all;
    };
    const Exchange::Side &send = towards_points ? along.from : along.to, &get = towards_points ? along.to : along.from;
    const std::vector<int> sent = counted(send.count), sent_from = counted(send.first);
    const std::vector<int> got = counted(get.count), got_to = counted(get.first);
    Work work = along.work(bands);
    if (!towards_points) std::swap(work.bytes_read, work.bytes_written);
    const Timed timed(watch_, phase, work);
    MPI_Alltoallv(towards_points ? before_.data() : after, sent.data(), sent_from.data(), MPI_C_DOUBLE_COMPLEX,
                  towards_points ? after : before_.data(), got.data(), got_to.data(), MPI_C_DOUBLE_COMPLEX,
                  along.ranks);
  }

  // z transforms of own sticks [first, last), at most a group, into or from `lines`, [stick][z_pitch].
  void spread(Range sticks, const Complex* waves, const Scratch& mine, Complex* lines) const {
    std::fill_n(mine.group, group * at_.z_pitch, Complex{});
    for (std::int64_t s = sticks.first; s < sticks.last; ++s) {
      const Stick& stick = sphere_.sticks()[static_cast<std::size_t>(s)];
      Complex* line = mine.group + (s - sticks.first) * at_.z_pitch;
      const int negative = std::clamp(-stick.lowest, 0, stick.waves);  // waves of negative frequency
      std::copy_n(waves + stick.first, negative, line + at_.nz + stick.lowest);
      std::copy_n(waves + stick.first + negative, stick.waves - negative, line + stick.lowest + negative);
    }
    backward_.z.run(mine.group, lines);
  }
  void collect(Range sticks, const Complex* lines, const Scratch& mine, Complex* waves) const {
    forward_.z.run(lines, mine.group);
    for (std::int64_t s = sticks.first; s < sticks.last; ++s) {
      const Stick& stick = sphere_.sticks()[static_cast<std::size_t>(s)];
      const Complex* line = mine.group + (s - sticks.first) * at_.z_pitch;
      const int negative = std::clamp(-stick.lowest, 0, stick.waves);
      Complex* to = waves + stick.first;
      for (int i = 0; i < negative; ++i) to[i] = line[at_.nz + stick.lowest + i] * scale_;
      for (int i = negative; i < stick.waves; ++i) to[i] = line[stick.lowest + i] * scale_;
    }
  }
  static Range group_of(std::int64_t g, std::int64_t first, std::int64_t last) {
    return {first + g * group, std::min(first + (g + 1) * group, last)};
  }

  // Where z of a column, of an own stick, lies.
  Complex* stick_of(int bands, int band, std::size_t column, std::int64_t s) {
    if (static_cast<int>(column) != sphere_.column()) return before_.data() + at_.stick(bands, band, column, s);
    return sticks_of_row_.data() + at_.stick_of_row(bands, band, {sphere_.column(), s});
  }
  // Own sticks of a band along z, where the ranks of a row share sticks.
  void waves_to_sticks(int bands, int band, const Complex* waves) {
    in_parallel((at_.own_sticks + group - 1) / group, [&](Range groups, const Scratch& mine) {
      for (std::int64_t g = groups.first; g < groups.last; ++g) {
        const Range sticks = group_of(g, 0, at_.own_sticks);
        spread(sticks, waves, mine, mine.sticks);
        for (std::size_t c = 0; c < at_.z_of_column.size(); ++c) {
          const Range z = at_.z_of_column[c];
          for (std::int64_t s = sticks.first; s < sticks.last; ++s)
            std::copy_n(mine.sticks + (s - sticks.first) * at_.z_pitch + z.first, z.size(),
                        stick_of(bands, band, c, s));
        }
      }
    });
  }
  void sticks_to_waves(int bands, int band, Complex* waves) {
    in_parallel((at_.own_sticks + group - 1) / group, [&](Range groups, const Scratch& mine) {
      for (std::int64_t g = groups.first; g < groups.last; ++g) {
        const Range sticks = group_of(g, 0, at_.own_sticks);
        for (std::size_t c = 0; c < at_.z_of_column.size(); ++c) {
          const Range z = at_.z_of_column[c];
          for (std::int64_t s = sticks.first; s < sticks.last; ++s)
            std::copy_n(stick_of(bands, band, c, s), z.size(),
                        mine.sticks + (s - sticks.first) * at_.z_pitch + z.first);
        }
        collect(sticks, mine.sticks, mine, waves);
      }
    });
  }

  // Sticks of an x, [number of the source], z of this rank: in memory of the thread where a row is one rank.
  Complex* stick_at(int bands, int band, const std::vector<Source>& of_x, std::size_t i, const Scratch& mine) {
    if (at_.row_is_one()) return mine.sticks + static_cast<std::int64_t>(i) * at_.z_pitch;
    return sticks_of_row_.data() + at_.stick_of_row(bands, band, of_x[i]);
  }
  // The sticks of an x have numbers without gap where a row is one rank.
  template <class Use>
  void over_groups(const std::vector<Source>& of_x, const Scratch& mine, const Use& use) const {
    const std::int64_t first = of_x.front().stick, last = of_x.back().stick + 1;
    for (std::int64_t g = 0; g * group < last - first; ++g)
      use(group_of(g, first, last), mine.sticks + g * group * at_.z_pitch);
  }

  // Where the y of a row, of an own x, lie.
  Complex* y_lines_of(int bands, int slot, std::int64_t x, std::size_t row) {
    if (at_.column_is_one() || static_cast<int>(row) != sphere_.row())
      return before_.data() + at_.y_line(bands, slot, x, at_.y_of_row[row]);
    return x_lines_.data() + at_.x_line(bands, slot, at_.all_x[static_cast<std::size_t>(at_.own_x_before + x)]);
  }
  // y transforms of a band, which lies in place `slot` of the y lines; and z transforms where a row is one rank.
  void sticks_to_y_lines(int bands, int band, int slot, const Complex* waves) {
    in_parallel(at_.own_x, [&](Range xs, const Scratch& mine) {
      for (std::int64_t x = xs.first; x < xs.last; ++x) {
        const std::vector<Source>& of_x = at_.sources[static_cast<std::size_t>(x)];
        if (at_.row_is_one())
          over_groups(of_x, mine, [&](Range sticks, Complex* lines) { spread(sticks, waves, mine, lines); });
        std::fill_n(mine.in, std::int64_t{tile} * at_.ny, Complex{});
        for (std::int64_t t = 0; t < backward_.y.tiles(); ++t) {
          const int width = backward_.y.width(t);
          for (std::size_t i = 0; i < of_x.size(); ++i)
            copy(stick_at(bands, band, of_x, i, mine) + t * tile, width, mine.in + of_x[i].y * tile);
          backward_.y.run(width, mine.in, mine.out);
          for (std::size_t row = 0; row < at_.y_of_row.size(); ++row) {
            const Range y = at_.y_of_row[row];
            Complex* to = y_lines_of(bands, slot, x, row) + t * tile;
            for (std::int64_t j = y.first; j < y.last; ++j, to += at_.zs) copy(mine.out + j * tile, width, to);
          }
        }
      }
    });
  }
  void y_lines_to_sticks(int bands, int band, int slot, Complex* waves) {
    in_parallel(at_.own_x, [&](Range xs, const Scratch& mine) {
      for (std::int64_t x = xs.first; x < xs.last; ++x) {
        const std::vector<Source>& of_x = at_.sources[static_cast<std::size_t>(x)];
        for (std::int64_t t = 0; t < forward_.y.tiles(); ++t) {
          const int width = forward_.y.width(t);
          for (std::size_t row = 0; row < at_.y_of_row.size(); ++row) {
            const Range y = at_.y_of_row[row];
            const Complex* from = y_lines_of(bands, slot, x, row) + t * tile;
            for (std::int64_t j = y.first; j < y.last; ++j, from += at_.zs) copy(from, width, mine.in + j * tile);
          }
          forward_.y.run(width, mine.in, mine.out);
          for (std::size_t i = 0; i < of_x.size(); ++i)
            copy(mine.out + of_x[i].y * tile, width, stick_at(bands, band, of_x, i, mine) + t * tile);
        }
        if (at_.row_is_one())
          over_groups(of_x, mine, [&](Range sticks, const Complex* lines) { collect(sticks, lines, mine, waves); });
      }
    });
  }

  // x transforms of a band. Where a column is one rank, the x lines are the y lines.
  Complex* x_lines() { return at_.column_is_one() ? before_.data() : x_lines_.data(); }
  void x_lines_to_points(int bands, int slot, Complex* points) {
    in_parallel(backward_.x.tiles(), [&](Range tiles, const Scratch& mine) {
      std::fill_n(mine.in, std::int64_t{tile} * at_.nx, Complex{});
      for (std::int64_t t = tiles.first; t < tiles.last; ++t) {
        const int width = backward_.x.width(t);
        for (const XofRow& x : at_.all_x)
          copy(x_lines() + at_.x_line(bands, slot, x) + t * tile, width, mine.in + std::int64_t{tile} * x.x);
        backward_.x.run(width, mine.in, mine.out);
        std::copy_n(mine.out, width * at_.nx, points + t * tile * at_.nx);
      }
    });
  }
  void points_to_x_lines(int bands, int slot, const Complex* points) {
    in_parallel(forward_.x.tiles(), [&](Range tiles, const Scratch& mine) {
      for (std::int64_t t = tiles.first; t < tiles.last; ++t) {
        const int width = forward_.x.width(t);
        std::copy_n(points + t * tile * at_.nx, width * at_.nx, mine.in);
        forward_.x.run(width, mine.in, mine.out);
        for (const XofRow& x : at_.all_x)
          copy(mine.out + std::int64_t{tile} * x.x, width, x_lines() + at_.x_line(bands, slot, x) + t * tile);
      }
    });
  }

  const Sphere& sphere_;
  const Layout at_;
  const int merge_;
  Watch* watch_;
  const int threads_;
  const Plans backward_, forward_;
  const double scale_;
  Exchange row_, column_;
  Buffer<Complex> before_, sticks_of_row_, x_lines_, scratch_;
};

Transform::Transform(const Sphere& sphere, MPI_Comm rows, MPI_Comm columns, int merge, Watch* watch, Effort effort)
    : parts_(std::make_unique<Parts>(sphere, rows, columns, merge, watch, effort)) {}
Transform::~Transform() = default;

void Transform::to_points(int bands, const Complex* waves, std::int64_t stride, Complex* points) {
  parts_->to_points(bands, waves, stride, points);
}
void Transform::to_waves(int bands, Complex* points, Complex* waves, std::int64_t stride) {
  parts_->to_waves(bands, points, waves, stride);
}

Work Transform::lines() const { return parts_->lines(); }
Work Transform::row_exchange(int bands) const { return parts_->row().work(bands); }
Work Transform::column_exchange(int bands) const { return parts_->column().work(bands); }

std::int64_t Transform::bytes(const Sphere& sphere, int merge, int threads) {
  const Layout at(sphere);
  return (at.before(merge) + at.sticks_of_row(merge) + at.x_lines(merge) + threads * at.scratch()) *
         std::int64_t{sizeof(Complex)};
}

void Transform::watch(Watch* watch) { parts_->watch(watch); }

}  // namespace tenken::planewave
