#include "parallel/item_list.hpp"

#include <cstring>
#include <type_traits>
#include <utility>

namespace tenken {

namespace {

// Shorter runs are copied item by item: a call of memcpy costs as much as some of them.
constexpr std::size_t long_run = 8;

}  // namespace

ItemList::ItemList(std::vector<std::int32_t> items) : items_(std::move(items)) {
  for (const std::int32_t i : items_) {
    if (!runs_.empty() && runs_.back().first + runs_.back().count == i) {
      ++runs_.back().count;
    } else {
      runs_.push_back({i, 1});
    }
  }
}

// copy(place in the field, place in the message, bytes) for each run or each item; for items of the usual sizes the
// compiler knows the length.
template <class Copy>
void ItemList::for_parts(std::size_t bytes, const Copy& copy) const {
  const auto each = [&](auto length) {
    for (std::size_t i = 0; i < items_.size(); ++i)
      copy(static_cast<std::size_t>(items_[i]) * length, i * length, length);
  };
  if (items_.size() >= long_run * runs_.size()) {
    std::size_t at = 0;
    for (const Run& run : runs_) {
      const std::size_t length = static_cast<std::size_t>(run.count) * bytes;
      copy(static_cast<std::size_t>(run.first) * bytes, at, length);
      at += length;
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

void ItemList::pack(std::size_t bytes, const std::byte* field, std::byte* message) const {
  for_parts(bytes, [=](std::size_t in_field, std::size_t in_message, auto length) {
    std::memcpy(message + in_message, field + in_field, length);
  });
}

void ItemList::unpack(std::size_t bytes, const std::byte* message, std::byte* field) const {
  for_parts(bytes, [=](std::size_t in_field, std::size_t in_message, auto length) {
    std::memcpy(field + in_field, message + in_message, length);
  });
}

}  // namespace tenken
