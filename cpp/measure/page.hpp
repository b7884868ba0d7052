// The sample page of a rank: a mapped file that survives a kill (layout: docs/files.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tenken {

enum class State : std::int32_t { starting = 0, timing = 1, gathering = 2, writing = 3, done = 4 };

// All of one section in one repetition.
struct Cell {
  std::int64_t calls;
  std::int64_t ticks;
  std::int64_t flop;
  std::int64_t bytes_read;
  std::int64_t bytes_written;
  std::int64_t messages;
};

struct PageHeader {
  char magic[8];
  std::int32_t rank;
  std::int32_t pid;
  char host[64];
  std::int32_t state;
  std::int32_t section;
  std::int32_t completed;
  std::int32_t planned;
  std::int32_t sections;
  std::int32_t rows;
  std::int64_t cells_offset;
  double ns_per_tick;
  std::int32_t names_offset;
  std::int32_t cell_bytes;
  char launch[32];     // id of the launch, so that nobody takes the page of another for ours; empty by hand
  std::int64_t steps;  // of any work: whoever watches the launch sees by them that it advances
};
static_assert(sizeof(PageHeader) == 168 && sizeof(Cell) == 48, "documented layout");

class Page {
 public:
  static constexpr int once_row = 0;
  static constexpr int warm_up_row = 1;
  static constexpr int first_repetition_row = 2;
  static constexpr std::size_t name_bytes = 96;

  // An empty `folder` gives memory that is lost with the process. Space is reserved at once: a disk that is full is
  // found here (UserError), not by a signal in the timed part.
  Page(const std::string& folder, int rank, std::span<const std::string> section_paths, double ns_per_tick,
       std::string_view host = "", std::string_view launch = "");
  ~Page();
  Page(const Page&) = delete;
  Page& operator=(const Page&) = delete;

  // Makes room for the cells of this many repetitions, `parts` rows each. Pointers to header and rows change.
  void reserve(int repetitions, int parts = 1);

  PageHeader& header() { return *reinterpret_cast<PageHeader*>(base_); }
  const PageHeader& header() const { return *reinterpret_cast<const PageHeader*>(base_); }
  Cell* row(int index);
  const Cell* row(int index) const;

 private:
  void map(std::size_t bytes);

  int file_ = -1;
  std::string path_;
  std::byte* base_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace tenken
