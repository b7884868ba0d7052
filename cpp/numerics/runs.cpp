#include "numerics/runs.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tenken {

namespace {

constexpr int most_lanes = 32;
// Couplings of a row in whose chunk runs are looked for: the search grows with their square.
constexpr std::size_t most_searched = 1024;
constexpr std::size_t most_plans = 64;  // that a thread keeps

// Columns count from the first place of the chunk.
struct PlannedSlot {
  bool run = false;
  std::int32_t first = 0;                         // of a run
  std::array<std::int32_t, most_lanes> coupling;  // of each lane the coupling of its row; -1: none
};

// How the couplings of a chunk fill its slots. Most chunks of a regular matrix have the plan of another chunk.
struct Plan {
  int colour = 0;
  std::vector<std::int32_t> pattern;                   // of each lane the number of couplings, then their columns
  std::vector<std::pair<std::int32_t, bool>> offsets;  // column minus lane, and whether a run may begin there
  std::vector<PlannedSlot> slots;
  std::int64_t lists = 0;
};

// Couplings whose column minus lane is the same in many lanes become a run, as long as the chunk needs no more slots
// than its longest row has couplings.
class Planner {
 public:
  explicit Planner(int c) : c_(c) {}

  // The slots of a plan that has its pattern and its offsets, those of most lanes first.
  void fill(Plan& plan) {
    std::size_t next = 0;
    for (auto& row : left_) row.clear();
    for (int l = 0; l < c_; ++l) {
      const std::int32_t count = plan.pattern[next++];
      for (std::int32_t n = 0; n < count; ++n) left_[static_cast<std::size_t>(l)].push_back({plan.pattern[next++], n});
    }
    const std::size_t room = longest();
    for (const auto& [offset, may_run] : plan.offsets) {
      if (may_run) take_run(plan, offset, room);
    }
    for (std::size_t n = 0, lists = longest(); n < lists; ++n) {
      PlannedSlot slot;
      slot.coupling.fill(-1);
      for (int l = 0; l < c_; ++l) {
        const auto& row = left_[static_cast<std::size_t>(l)];
        if (n < row.size()) slot.coupling[static_cast<std::size_t>(l)] = row[n].coupling;
      }
      plan.slots.push_back(slot);
      ++plan.lists;
    }
  }

 private:
  struct Left {
    std::int32_t column, coupling;
  };

  std::size_t longest() const {
    std::size_t most = 0;
    for (int l = 0; l < c_; ++l) most = std::max(most, left_[static_cast<std::size_t>(l)].size());
    return most;
  }

  void take_run(Plan& plan, std::int32_t offset, std::size_t room) {
    const auto found = [&](int l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      return std::find_if(row.begin(), row.end(), [&](const Left& x) { return x.column == offset + l; });
    };
    std::size_t rest = 0;
    bool any = false;
    for (int l = 0; l < c_; ++l) {
      const auto& row = left_[static_cast<std::size_t>(l)];
      const bool here = found(l) != row.end();
      any = any || here;
      rest = std::max(rest, row.size() - (here ? 1 : 0));
    }
    if (!any || plan.slots.size() + 1 + rest > room) return;
    PlannedSlot slot{.run = true, .first = offset, .coupling = {}};
    slot.coupling.fill(-1);
    for (int l = 0; l < c_; ++l) {
      auto& row = left_[static_cast<std::size_t>(l)];
      const auto at = found(l);
      if (at == row.end()) continue;
      slot.coupling[static_cast<std::size_t>(l)] = at->coupling;
      row.erase(at);
    }
    plan.slots.push_back(slot);
  }

  const int c_;
  std::array<std::vector<Left>, most_lanes> left_;
};

// The plans of chunks, one thread's.
class Packer {
 public:
  Packer(int c, const std::function<void(std::int64_t, std::vector<Coupling>&)>& couplings,
         const std::function<bool(int, std::int64_t)>& may_run)
      : c_(c), couplings_(couplings), may_run_(may_run), planner_(c) {
    plans_.reserve(most_plans);
  }

  const Plan& pack(int colour, std::int64_t k) {
    const std::int64_t first = k * c_;
    std::size_t longest = 0;
    entries_ = 0;
    pattern_.clear();
    for (int l = 0; l < c_; ++l) {
      std::vector<Coupling>& row = rows_[static_cast<std::size_t>(l)];
      row.clear();
      couplings_(first + l, row);
      pattern_.push_back(static_cast<std::int32_t>(row.size()));
      for (const Coupling& one : row) pattern_.push_back(static_cast<std::int32_t>(one.column - first));
      entries_ += static_cast<std::int64_t>(row.size());
      longest = std::max(longest, row.size());
    }
    for (std::size_t n = 0; n < plans_.size(); ++n) {
      const Plan& plan = plans_[(newest_ + n) % plans_.size()];
      if (!fits(plan, colour, first)) continue;
      newest_ = (newest_ + n) % plans_.size();
      return plan;
    }
    const bool keep = plans_.size() < most_plans && longest <= most_searched;
    if (keep) {
      newest_ = plans_.size();
      plans_.emplace_back();
    } else {
      other_ = {};
    }
    Plan& plan = keep ? plans_.back() : other_;
    plan.colour = colour;
    plan.pattern = pattern_;
    if (longest <= most_searched) set_offsets(plan, first);
    planner_.fill(plan);
    return plan;
  }
  // Of the chunk that was packed last.
  const std::vector<Coupling>& row(std::size_t lane) const { return rows_[lane]; }
  std::int64_t entries() const { return entries_; }

 private:
  bool may_run(int colour, std::int64_t column) const { return column >= 0 && may_run_(colour, column); }

  bool fits(const Plan& plan, int colour, std::int64_t first) const {
    return plan.colour == colour && plan.pattern == pattern_ &&
           std::all_of(plan.offsets.begin(), plan.offsets.end(),
                       [&](const auto& one) { return may_run(colour, first + one.first) == one.second; });
  }

  // Those of most lanes first.
  void set_offsets(Plan& plan, std::int64_t first) {
    struct Counted {
      std::int32_t offset;
      int lanes;
    };
    std::vector<Counted> counted;
    for (int l = 0; l < c_; ++l) {
      for (const Coupling& one : rows_[static_cast<std::size_t>(l)]) {
        const auto offset = static_cast<std::int32_t>(one.column - l - first);
        const auto at =
            std::find_if(counted.begin(), counted.end(), [&](const Counted& x) { return x.offset == offset; });
        if (at == counted.end()) {
          counted.push_back({offset, 1});
        } else {
          ++at->lanes;
        }
      }
    }
    std::stable_sort(counted.begin(), counted.end(),
                     [](const Counted& x, const Counted& y) { return x.lanes > y.lanes; });
    for (const Counted& one : counted) plan.offsets.emplace_back(one.offset, may_run(plan.colour, first + one.offset));
  }

  const int c_;
  const std::function<void(std::int64_t, std::vector<Coupling>&)>& couplings_;
  const std::function<bool(int, std::int64_t)>& may_run_;
  Planner planner_;
  std::array<std::vector<Coupling>, most_lanes> rows_;
  std::vector<std::int32_t> pattern_;
  std::vector<Plan> plans_;
  std::size_t newest_ = 0;
  Plan other_;  // of a chunk whose plan is not kept
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
          use(k, packer.pack(which, k), packer);
          entries += packer.entries();
        }
      }
    }
    return entries;
  };
  runs.entries = over_chunks([&](std::int64_t k, const Plan& plan, const Packer&) {
    runs.begin[static_cast<std::size_t>(k) + 1] = static_cast<std::int32_t>(plan.slots.size());
    lists[static_cast<std::size_t>(k) + 1] = static_cast<std::int32_t>(plan.lists);
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
  over_chunks([&](std::int64_t k, const Plan& plan, const Packer& packer) {
    auto slot = static_cast<std::size_t>(runs.begin[static_cast<std::size_t>(k)]);
    auto list = static_cast<std::size_t>(lists[static_cast<std::size_t>(k)]);
    const auto first = static_cast<std::int32_t>(k * c);
    for (const PlannedSlot& s : plan.slots) {
      runs.start[slot] = s.run ? first + s.first : -1 - static_cast<std::int32_t>(list);
      for (std::size_t l = 0; l < width; ++l) {
        const std::int32_t n = s.coupling[l];
        const Coupling one =
            n < 0 ? Coupling{first + static_cast<std::int32_t>(l), 0} : packer.row(l)[static_cast<std::size_t>(n)];
        runs.value[slot * width + l] = one.value;
        if (!s.run) runs.list[list * width + l] = one.column;
      }
      ++slot;
      list += s.run ? 0 : 1;
    }
  });
  return runs;
}

}  // namespace tenken
