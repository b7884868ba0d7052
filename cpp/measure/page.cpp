#include "measure/page.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.hpp"

namespace tenken {

namespace {
constexpr std::size_t alignment = 4096;

std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
}  // namespace

Page::Page(const std::string& folder, int rank, std::span<const std::string> section_paths, double ns_per_tick,
           std::string_view host, std::string_view launch) {
  if (!folder.empty()) {
    char name[32];
    std::snprintf(name, sizeof name, "/rank-%05d.page", rank);
    path_ = folder + name;
    unlink(path_.c_str());  // of an earlier launch, or a link that leads elsewhere
    file_ = open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file_ < 0) {
      impossible("the sample page " + path_ + " cannot be created (" + std::strerror(errno) +
                 "); --pages must name a folder that can be written");
    }
  }
  const std::size_t names = section_paths.size() * name_bytes;
  const std::size_t cells_offset = rounded(sizeof(PageHeader) + names);
  map(cells_offset + first_repetition_row * section_paths.size() * sizeof(Cell));

  PageHeader& h = header();
  h.rank = rank;
  h.pid = static_cast<std::int32_t>(getpid());
  std::copy_n(host.data(), std::min(host.size(), sizeof h.host - 1), h.host);
  h.section = -1;
  h.sections = static_cast<std::int32_t>(section_paths.size());
  h.rows = first_repetition_row;
  h.cells_offset = static_cast<std::int64_t>(cells_offset);
  h.ns_per_tick = ns_per_tick;
  h.names_offset = sizeof(PageHeader);
  h.cell_bytes = sizeof(Cell);
  std::copy_n(launch.data(), std::min(launch.size(), sizeof h.launch - 1), h.launch);
  for (std::size_t i = 0; i < section_paths.size(); ++i) {
    char* name = reinterpret_cast<char*>(base_) + sizeof(PageHeader) + i * name_bytes;
    std::snprintf(name, name_bytes, "%s", section_paths[i].c_str());
  }
  // Last, so that a reader never believes a half-written header.
  std::memcpy(h.magic, "TKNPAGE1", sizeof h.magic);
}

Page::~Page() {
  if (base_ != nullptr) munmap(base_, bytes_);
  if (file_ >= 0) close(file_);
}

void Page::reserve(int repetitions, int parts) {
  const PageHeader before = header();
  const std::size_t more = static_cast<std::size_t>(repetitions) * static_cast<std::size_t>(parts);
  const std::size_t rows = first_repetition_row + more;
  map(static_cast<std::size_t>(before.cells_offset) + rows * static_cast<std::size_t>(before.sections) * sizeof(Cell));
  header().rows = static_cast<std::int32_t>(rows);
  header().planned = repetitions;
  // Touch every cell now: no page fault may fall into the timed part.
  std::memset(static_cast<void*>(row(first_repetition_row)), 0,
              more * static_cast<std::size_t>(before.sections) * sizeof(Cell));
}

Cell* Page::row(int index) {
  return reinterpret_cast<Cell*>(base_ + header().cells_offset) +
         static_cast<std::ptrdiff_t>(index) * header().sections;
}

const Cell* Page::row(int index) const { return const_cast<Page*>(this)->row(index); }

void Page::map(std::size_t bytes) {
  bytes = rounded(bytes);
  std::byte* const old = base_;
  const std::size_t old_bytes = bytes_;
  int flags = MAP_PRIVATE | MAP_ANONYMOUS;
  if (file_ >= 0) {
    if (const int error = posix_fallocate(file_, 0, static_cast<off_t>(bytes)); error != 0) {
      impossible("no room for the sample page " + path_ + " of " + std::to_string(bytes / 1024) + " KiB (" +
                 std::strerror(error) + "); free space there or choose another place with --runs");
    }
    flags = MAP_SHARED;
  }
  void* const address = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file_, 0);
  if (address == MAP_FAILED) {
    impossible("the sample page " + (path_.empty() ? "in memory" : path_) + " cannot be mapped (" +
               std::strerror(errno) + ")");
  }
  base_ = static_cast<std::byte*>(address);
  bytes_ = bytes;
  if (old != nullptr) {
    if (file_ < 0) std::memcpy(base_, old, old_bytes);
    munmap(old, old_bytes);
  }
}

}  // namespace tenken
