#include "numerics/runs.hpp"

#include <algorithm>
#include <array>

namespace tenken {

namespace {

constexpr int most_lanes = 32;
// Couplings of a row in whose chunk runs are looked for: the search grows with their square.
constexpr std::int64_t most_searched = 1024;

struct Slot {
  bool run = false;
  std::int32_t first = 0;  // of a run
  std::array<std::int32_t, most_lanes> column{};
  std::array<double, most_lanes> value{};
};

// The slots of one chunk: couplings whose column minus lane is the same in many lanes become a run, as long as the
// chunk needs no more slots than its longest row has couplings.
class Packer {
 public:
  Packer(int c, const std::function<void(std::int64_t, std::vector<Coupling>&)>& couplings,
         const std::function<bool(int, std::int64_t)>& may_run)
      : c_(c), couplings_(couplings), may_run_(may_run) {}

  const std::vector<Slot>& pack(int colour, std::int64_t k) {
    slots_.clear();
    offsets_.clear();
    entries_ = 0;
    for (int l = 0; l < c_; ++l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      row.clear();
      couplings_(k * c_ + l, row);
      entries_ += static_cast<std::int64_t>(row.size());
    }
    if (longest() > most_searched) return pack_lists(static_cast<std::int32_t>(k * c_));
    for (int l = 0; l < c_; ++l) {
      for (const Coupling& one : left_[static_cast<std::size_t>(l)]) count(one.column - l);
    }
    std::stable_sort(offsets_.begin(), offsets_.end(),
                     [](const Offset& x, const Offset& y) { return x.lanes > y.lanes; });
    const std::int64_t room = longest();
    for (const Offset& offset : offsets_) {
      if (offset.value >= 0 && may_run_(colour, offset.value)) take_run(offset.value, room);
    }
    while (longest() > 0) take_list(static_cast<std::int32_t>(k * c_));
    return slots_;
  }
  std::int64_t entries() const { return entries_; }  // of the chunk that was packed last

 private:
  struct Offset {
    std::int32_t value;
    int lanes;
  };

  void count(std::int32_t value) {
    for (Offset& offset : offsets_) {
      if (offset.value == value) return void(++offset.lanes);
    }
    offsets_.push_back({value, 1});
  }

  std::int64_t longest() const {
    std::size_t most = 0;
    for (int l = 0; l < c_; ++l) most = std::max(most, left_[static_cast<std::size_t>(l)].size());
    return static_cast<std::int64_t>(most);
  }

  void take_run(std::int32_t offset, std::int64_t room) {
    const auto found = [&](int l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      return std::find_if(row.begin(), row.end(), [&](const Coupling& x) { return x.column == offset + l; });
    };
    std::size_t rest = 0;
    bool any = false;
    for (int l = 0; l < c_; ++l) {
      const auto& row = left_[static_cast<std::size_t>(l)];
      const bool here = found(l) != row.end();
      any = any || here;
      rest = std::max(rest, row.size() - (here ? 1 : 0));
    }
    if (!any || static_cast<std::int64_t>(slots_.size() + 1 + rest) > room) return;
    Slot slot{.run = true, .first = offset, .column = {}, .value = {}};
    for (int l = 0; l < c_; ++l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      const auto at = found(l);
      if (at == row.end()) continue;
      slot.value[static_cast<std::size_t>(l)] = at->value;
      row.erase(at);
    }
    slots_.push_back(slot);
  }

  const std::vector<Slot>& pack_lists(std::int32_t first_row) {
    slots_.resize(static_cast<std::size_t>(longest()));
    for (std::size_t l = 0; l < static_cast<std::size_t>(c_); ++l) {
      const auto& row = left_[l];
      for (std::size_t n = 0; n < slots_.size(); ++n) {
        slots_[n].column[l] = n < row.size() ? row[n].column : first_row + static_cast<std::int32_t>(l);
        slots_[n].value[l] = n < row.size() ? row[n].value : 0;
      }
    }
    return slots_;
  }

  void take_list(std::int32_t first_row) {
    Slot slot;
    for (int l = 0; l < c_; ++l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      slot.column[static_cast<std::size_t>(l)] = row.empty() ? first_row + l : row.front().column;
      slot.value[static_cast<std::size_t>(l)] = row.empty() ? 0 : row.front().value;
      if (!row.empty()) row.erase(row.begin());
    }
    slots_.push_back(slot);
  }

  const int c_;
  const std::function<void(std::int64_t, std::vector<Coupling>&)>& couplings_;
  const std::function<bool(int, std::int64_t)>& may_run_;
  std::vector<Slot> slots_;
  std::vector<Offset> offsets_;
  std::array<std::vector<Coupling>, most_lanes> left_;
  std::int64_t entries_ = 0;
};

}  // namespace

// Twice over the chunks: to count, then to write.
Runs make_runs(int c, std::span<const std::int64_t> colour,
               const std::function<void(std::int64_t place, std::vector<Coupling>& row)>& couplings,
               const std::function<bool(int colour, std::int64_t first)>& may_run) {
  Runs runs;
  const auto chunks = static_cast<std::size_t>(colour.back());
  runs.begin = Buffer<std::int32_t>(chunks + 1, Pages::huge, "starts of matrix chunks");
  std::vector<std::int32_t> lists(chunks + 1);
  const auto over_chunks = [&](const auto& use) {
    std::int64_t entries = 0;
#pragma omp parallel reduction(+ : entries)
    {
      Packer packer(c, couplings, may_run);
      for (int which = 0; which + 1 < static_cast<int>(colour.size()); ++which) {
        const Range mine = own_chunks(colour, which, omp_get_thread_num(), omp_get_num_threads());
        for (std::int64_t k = mine.first; k < mine.last; ++k) {
          use(k, packer.pack(which, k));
          entries += packer.entries();
        }
      }
    }
    return entries;
  };
  runs.entries = over_chunks([&](std::int64_t k, const std::vector<Slot>& slots) {
    runs.begin[static_cast<std::size_t>(k) + 1] = static_cast<std::int32_t>(slots.size());
    for (const Slot& slot : slots) lists[static_cast<std::size_t>(k) + 1] += slot.run ? 0 : 1;
  });
  for (std::size_t k = 0; k < chunks; ++k) {
    runs.begin[k + 1] += runs.begin[k];
    lists[k + 1] += lists[k];
  }
  const auto width = static_cast<std::size_t>(c);
  const auto slots = static_cast<std::size_t>(runs.begin[chunks]);
  runs.lists = lists.back();
  runs.start = Buffer<std::int32_t>(slots, Pages::huge, "columns of matrix slots");
  runs.list =
      Buffer<std::int32_t>(static_cast<std::size_t>(runs.lists) * width, Pages::huge, "columns of matrix slots");
  runs.value = Buffer<double>(slots * width, Pages::huge, "values of matrix slots");
  over_chunks([&](std::int64_t k, const std::vector<Slot>& of_chunk) {
    auto slot = static_cast<std::size_t>(runs.begin[static_cast<std::size_t>(k)]);
    auto list = static_cast<std::size_t>(lists[static_cast<std::size_t>(k)]);
    for (const Slot& s : of_chunk) {
      runs.start[slot] = s.run ? s.first : -1 - static_cast<std::int32_t>(list);
      for (std::size_t l = 0; l < width; ++l) {
        runs.value[slot * width + l] = s.value[l];
        if (!s.run) runs.list[list * width + l] = s.column[l];
      }
      ++slot;
      list += s.run ? 0 : 1;
    }
  });
  return runs;
}

}  // namespace tenken
