#include "numerics/eisenstat.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "numerics/with_width.hpp"

namespace tenken {

namespace {

constexpr int most_lanes = 32;

struct Slot {
  bool run = false;
  std::int32_t first = 0;  // of a run
  std::array<std::int32_t, most_lanes> column{};
  std::array<double, most_lanes> value{};
};

// The slots of one chunk: couplings whose column minus lane is the same in many lanes become a run, as long as the
// chunk needs no more slots than its longest row has entries. A lane of a run that has no such coupling gets 0 times
// the column that the run names, which therefore must lie in the colours that are not being written: [low, high).
class Packer {
 public:
  Packer(const Coloured& a, const Triangle& t) : a_(a), t_(t) {}

  const std::vector<Slot>& pack(std::int64_t k, std::int64_t low, std::int64_t high) {
    const int c = a_.c;
    const std::int64_t first = t_.begin[static_cast<std::size_t>(k)];
    const std::int64_t last = t_.begin[static_cast<std::size_t>(k) + 1];
    slots_.clear();
    offsets_.clear();
    for (int l = 0; l < c; ++l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      row.clear();
      for (std::int64_t s = first; s < last; ++s) {
        const auto at = static_cast<std::size_t>(s * c + l);
        if (t_.value[at] == 0) continue;
        row.push_back({t_.column[at], t_.value[at]});
        count(t_.column[at] - l);
      }
    }
    std::stable_sort(offsets_.begin(), offsets_.end(),
                     [](const Offset& x, const Offset& y) { return x.lanes > y.lanes; });
    for (const Offset& offset : offsets_) take_run(offset.value, low, high, last - first);
    while (longest() > 0) take_list(static_cast<std::int32_t>(k * c));
    return slots_;
  }

 private:
  struct Offset {
    std::int32_t value;
    int lanes;
  };
  struct Coupling {
    std::int32_t column;
    double value;
  };

  void count(std::int32_t value) {
    for (Offset& offset : offsets_) {
      if (offset.value == value) return void(++offset.lanes);
    }
    offsets_.push_back({value, 1});
  }

  std::int64_t longest() const {
    std::size_t most = 0;
    for (int l = 0; l < a_.c; ++l) most = std::max(most, left_[static_cast<std::size_t>(l)].size());
    return static_cast<std::int64_t>(most);
  }

  void take_run(std::int32_t offset, std::int64_t low, std::int64_t high, std::int64_t room) {
    if (offset < low || offset + a_.c > high) return;
    const auto found = [&](int l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      return std::find_if(row.begin(), row.end(), [&](const Coupling& x) { return x.column == offset + l; });
    };
    std::size_t rest = 0;
    bool any = false;
    for (int l = 0; l < a_.c; ++l) {
      const auto& row = left_[static_cast<std::size_t>(l)];
      const bool here = found(l) != row.end();
      any = any || here;
      rest = std::max(rest, row.size() - (here ? 1 : 0));
    }
    if (!any || static_cast<std::int64_t>(slots_.size() + 1 + rest) > room) return;
    Slot slot{.run = true, .first = offset, .column = {}, .value = {}};
    for (int l = 0; l < a_.c; ++l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      const auto at = found(l);
      if (at == row.end()) continue;
      slot.value[static_cast<std::size_t>(l)] = at->value;
      row.erase(at);
    }
    slots_.push_back(slot);
  }

  void take_list(std::int32_t first_row) {
    Slot slot;
    for (int l = 0; l < a_.c; ++l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      slot.column[static_cast<std::size_t>(l)] = row.empty() ? first_row + l : row.front().column;
      slot.value[static_cast<std::size_t>(l)] = row.empty() ? 0 : row.front().value;
      if (!row.empty()) row.erase(row.begin());
    }
    slots_.push_back(slot);
  }

  const Coloured& a_;
  const Triangle& t_;
  std::vector<Slot> slots_;
  std::vector<Offset> offsets_;
  std::array<std::vector<Coupling>, most_lanes> left_;
};

// Twice over the chunks: to count, then to write.
Runs make_runs(const Coloured& a, const Triangle& t, bool lower, const double* root) {
  Runs runs;
  runs.entries = t.entries;
  runs.begin = Buffer<std::int32_t>(static_cast<std::size_t>(a.chunks()) + 1, Pages::huge, "starts of matrix chunks");
  std::vector<std::int32_t> lists(static_cast<std::size_t>(a.chunks()) + 1);
  const auto over_chunks = [&](const auto& use) {
#pragma omp parallel
    {
      Packer packer(a, t);
      for (int colour = 0; colour < a.colours(); ++colour) {
        const std::int64_t low = lower ? 0 : a.colour[static_cast<std::size_t>(colour) + 1] * a.c;
        const std::int64_t high = lower ? a.colour[static_cast<std::size_t>(colour)] * a.c : a.padded;
        const Range mine = chunks_of(a, colour, omp_get_thread_num(), omp_get_num_threads());
        for (std::int64_t k = mine.first; k < mine.last; ++k) use(k, packer.pack(k, low, high));
      }
    }
  };
  over_chunks([&](std::int64_t k, const std::vector<Slot>& slots) {
    runs.begin[static_cast<std::size_t>(k) + 1] = static_cast<std::int32_t>(slots.size());
    for (const Slot& slot : slots) lists[static_cast<std::size_t>(k) + 1] += slot.run ? 0 : 1;
  });
  for (std::size_t k = 0; k < static_cast<std::size_t>(a.chunks()); ++k) {
    runs.begin[k + 1] += runs.begin[k];
    lists[k + 1] += lists[k];
  }
  const auto c = static_cast<std::size_t>(a.c);
  const auto slots = static_cast<std::size_t>(runs.begin[static_cast<std::size_t>(a.chunks())]);
  runs.lists = lists.back();
  runs.start = Buffer<std::int32_t>(slots, Pages::huge, "columns of matrix slots");
  runs.list = Buffer<std::int32_t>(static_cast<std::size_t>(runs.lists) * c, Pages::huge, "columns of matrix slots");
  runs.value = Buffer<double>(slots * c, Pages::huge, "values of matrix slots");
  over_chunks([&](std::int64_t k, const std::vector<Slot>& of_chunk) {
    auto slot = static_cast<std::size_t>(runs.begin[static_cast<std::size_t>(k)]);
    auto list = static_cast<std::size_t>(lists[static_cast<std::size_t>(k)]);
    for (const Slot& s : of_chunk) {
      runs.start[slot] = s.run ? s.first : -1 - static_cast<std::int32_t>(list);
      for (std::size_t l = 0; l < c; ++l) {
        const auto column = s.run ? static_cast<std::size_t>(s.first) + l : static_cast<std::size_t>(s.column[l]);
        runs.value[slot * c + l] = s.value[l] * root[static_cast<std::size_t>(k) * c + l] * root[column];
        if (!s.run) runs.list[list * c + l] = s.column[l];
      }
      ++slot;
      list += s.run ? 0 : 1;
    }
  });
  return runs;
}

// As in coloured.cpp: hardware that follows streams stops at the end of each small page.
template <int c>
TENKEN_INLINE void fetch_ahead(const double* value) {
  constexpr std::uintptr_t ahead = 256;  // entries
  constexpr std::uintptr_t line = 64;    // bytes
  const auto values = reinterpret_cast<std::uintptr_t>(value + ahead);
  for (std::uintptr_t at = 0; at < c * sizeof(double); at += line) {
    __builtin_prefetch(reinterpret_cast<const void*>(values + at));
  }
}

// sum + or - the products of one chunk's slots.
template <int c, int sign>
TENKEN_INLINE Vec<double, c> summed(const Runs& t, std::int64_t k, const double* x, const Vec<double, c>& start) {
  Vec<double, c> sum = start;
  using V = Vec<double, c>;
  const std::int64_t last = t.begin.data()[k + 1];
  for (std::int64_t slot = t.begin.data()[k]; slot < last; ++slot) {
    const std::int32_t column = t.start.data()[slot];
    const double* const value = t.value.data() + slot * c;
    fetch_ahead<c>(value);
    V of_x;
    if (column >= 0) [[likely]] {
      of_x = load<V>(x + column);
    } else {
      const std::int32_t* const list = t.list.data() + (-1 - std::int64_t{column}) * c;
      if constexpr (c == 1) {
        of_x = x[*list];
      } else {
        for (int l = 0; l < c; ++l) of_x[l] = x[list[l]];
      }
    }
    if constexpr (sign > 0) {
      sum += load<V>(value) * of_x;
    } else {
      sum -= load<V>(value) * of_x;
    }
  }
  return sum;
}

template <int c>
TENKEN_INLINE double folded(const Vec<double, c>& v) {
  if constexpr (c == 1) {
    return v;
  } else {
    double sum = v[0];
    for (int l = 1; l < c; ++l) sum += v[l];
    return sum;
  }
}

template <int c>
TENKEN_INLINE Vec<double, c> all(double x) {
  return Vec<double, c>{} + x;
}

}  // namespace

Eisenstat::Eisenstat(const Coloured& a)
    : a_(&a), shift_(make_vector(a, "diagonal of a matrix")), root_(make_vector(a, "scale of a matrix")) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.padded); ++i) {
    root_[i] = std::sqrt(a.inverse[i]);
    shift_[i] = a.diagonal[i] * a.inverse[i] - 2;
  }
  lower_ = make_runs(a, a.lower, true, root_.data());
  upper_ = make_runs(a, a.upper, false, root_.data());
}

double Eisenstat::runs() const {
  const std::int64_t slots = lower_.slots() + upper_.slots();
  return slots == 0 ? 1 : 1 - static_cast<double>(lower_.lists + upper_.lists) / static_cast<double>(slots);
}

void Eisenstat::backward(Range chunks, double beta, const double* r, double* p, double* t) const {
  with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V direction = load<V>(r + k * c) + all<c>(beta) * load<V>(p + k * c);
      store(direction, p + k * c);
      store(summed<c, -1>(upper_, k, t, direction), t + k * c);
    }
  });
}

double Eisenstat::forward(Range chunks, const double* p, const double* t, double* v) const {
  return with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    const double* const shift = shift_.data();
    V dot = {};
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V of_p = load<V>(p + k * c), of_t = load<V>(t + k * c);
      const V of_v = summed<c, -1>(lower_, k, v, of_p + load<V>(shift + k * c) * of_t);
      store(of_v, v + k * c);
      dot += of_p * (of_t + of_v);
    }
    return folded<c>(dot);
  });
}

void Eisenstat::enter(Range chunks, double* r) const {
  with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      store(summed<c, -1>(lower_, k, r, load<V>(r + k * c)), r + k * c);
    }
  });
}

double Eisenstat::update(Range chunks, double alpha, const double* t, const double* v, double* x, double* r) const {
  return with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    const V by = all<c>(alpha);
    V dot = {};
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V of_t = load<V>(t + k * c);
      const V rest = load<V>(r + k * c) - by * (of_t + load<V>(v + k * c));
      store(load<V>(x + k * c) + by * of_t, x + k * c);
      store(rest, r + k * c);
      dot += rest * rest;
    }
    return folded<c>(dot);
  });
}

double Eisenstat::true_residual2(Range chunks, const double* r) const {
  return with_width(a_->c, [&](auto width) {
    constexpr int c = width();
    using V = Vec<double, c>;
    const double* const root = root_.data();
    V dot = {};
    for (std::int64_t k = chunks.first; k < chunks.last; ++k) {
      const V of_r = summed<c, 1>(lower_, k, r, load<V>(r + k * c)) / load<V>(root + k * c);
      dot += of_r * of_r;
    }
    return folded<c>(dot);
  });
}

void Eisenstat::scale(Range chunks, double* b) const {
  for (std::int64_t i = chunks.first * a_->c; i < chunks.last * a_->c; ++i) b[i] *= root_.data()[i];
}

void Eisenstat::make_unsymmetric() {
  for (double& value : upper_.value) {
    if (value == 0) continue;
    value *= 2;
    return;
  }
}

Work Eisenstat::backward_work() const {
  return {.flop = 2 * upper_.entries + 2 * a_->rows,
          .bytes_read = upper_.bytes() + 16 * a_->rows,
          .bytes_written = 16 * a_->rows};
}
Work Eisenstat::forward_work() const {
  return {.flop = 2 * lower_.entries + 5 * a_->rows,
          .bytes_read = lower_.bytes() + 24 * a_->rows,
          .bytes_written = 8 * a_->rows};
}
Work Eisenstat::update_work() const {
  return {.flop = 7 * a_->rows, .bytes_read = 32 * a_->rows, .bytes_written = 16 * a_->rows};
}

}  // namespace tenken
