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

  // Of a field whose items have `bytes` bytes: from the field into a message, one after another, and back.
  void pack(std::size_t bytes, const std::byte* field, std::byte* message) const;
  void unpack(std::size_t bytes, const std::byte* message, std::byte* field) const;

 private:
  struct Run {
    std::int32_t first;
    std::int32_t count;
  };

  template <class Copy>
  void for_parts(std::size_t bytes, const Copy& copy) const;

  std::vector<std::int32_t> items_;
  std::vector<Run> runs_;  // of items that follow each other
};

}  // namespace tenken
