// Items of a field that travel together, copied to and from a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenken {

class ItemList {
 public:
  explicit ItemList(std::vector<std::int32_t> items);

  const std::vector<std::int32_t>& items() const { return items_; }
  std::size_t size() const { return items_.size(); }
  // Whether the items follow each other, and so are a message as they lie.
  bool one_run() const { return runs_.size() == 1; }

  // Of a field whose items have `bytes` bytes: from the field into a message, one after another, and back. Large ones
  // on all threads, where the caller is not in a parallel region; unpack only where every item is named once.
  void pack(std::size_t bytes, const std::byte* field, std::byte* message) const;
  void unpack(std::size_t bytes, const std::byte* message, std::byte* field) const;

 private:
  struct Run {
    std::int32_t first;
    std::int32_t count;
    std::size_t before;  // items of the runs before it
  };

  template <class Copy>
  void for_parts(std::size_t bytes, std::size_t first, std::size_t last, const Copy& copy) const;
  template <class Copy>
  void share_parts(std::size_t bytes, bool allowed, const Copy& copy) const;

  std::vector<std::int32_t> items_;
  std::vector<Run> runs_;  // of items that follow each other
  bool once_ = true;       // every item
};

}  // namespace tenken
