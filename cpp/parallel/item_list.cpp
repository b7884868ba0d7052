#include "parallel/item_list.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace tenken {

namespace {

// Shorter runs are copied item by item: a call of memcpy costs as much as some of them.
constexpr std::size_t long_run = 8;

// Fewer bytes are copied by one thread: where others have to be woken up, that costs more than they save.
constexpr std::size_t worth_a_team = 1024 * 1024;

}  // namespace

ItemList::ItemList(std::vector<std::int32_t> items) : items_(std::move(items)) {
  for (std::size_t n = 0; n < items_.size(); ++n) {
    if (!runs_.empty() && runs_.back().first + runs_.back().count == items_[n]) {
      ++runs_.back().count;
    } else {
      runs_.push_back({items_[n], 1, n});
    }
  }
  std::vector<std::int32_t> sorted(items_);
  std::sort(sorted.begin(), sorted.end());
  once_ = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

// copy(place in the field, place in the message, bytes) for each run or each item from number `first` to before `last`;
// for items of the usual sizes the compiler knows the length.
template <class Copy>
void ItemList::for_parts(std::size_t bytes, std::size_t first, std::size_t last, const Copy& copy) const {
  if (first == last) return;
  const auto each = [&](auto length) {
    for (std::size_t i = first; i < last; ++i) copy(static_cast<std::size_t>(items_[i]) * length, i * length, length);
  };
  if (items_.size() >= long_run * runs_.size()) {
    const auto starts_later = [](std::size_t n, const Run& run) { return n < run.before; };
    auto run = std::upper_bound(runs_.begin(), runs_.end(), first, starts_later) - 1;
    for (std::size_t at = first; at < last; ++run) {
      const std::size_t skipped = at - run->before;
      const std::size_t count = std::min(static_cast<std::size_t>(run->count) - skipped, last - at);
      copy((static_cast<std::size_t>(run->first) + skipped) * bytes, at * bytes, count * bytes);
      at += count;
    }
  } else if (bytes == 4) {
    each(std::integral_constant<std::size_t, 4>());
  } else if (bytes == 8) {
    each(std::integral_constant<std::size_t, 8>());
  } else if (bytes == 16) {
    each(std::integral_constant<std::size_t, 16>());
  } else {
    each(bytes);
  }
}

template <class Copy>
void ItemList::share_parts(std::size_t bytes, bool allowed, const Copy& copy) const {
  if (!allowed || items_.size() * bytes < worth_a_team || omp_in_parallel() || omp_get_max_threads() == 1) {
    return for_parts(bytes, 0, items_.size(), copy);
  }
#pragma omp parallel
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    for_parts(bytes, items_.size() * thread / threads, items_.size() * (thread + 1) / threads, copy);
  }
}

void ItemList::pack(std::size_t bytes, const std::byte* field, std::byte* message) const {
  share_parts(bytes, true, [=](std::size_t in_field, std::size_t in_message, auto length) {
    std::memcpy(message + in_message, field + in_field, length);
  });
}

void ItemList::unpack(std::size_t bytes, const std::byte* message, std::byte* field) const {
  share_parts(bytes, once_, [=](std::size_t in_field, std::size_t in_message, auto length) {
    std::memcpy(field + in_field, message + in_message, length);
  });
}

}  // namespace tenken
