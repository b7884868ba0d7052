// A tree below the global root reaches a folder of each rank below the local root.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "passes.hpp"

namespace staging {

class StageIn : public Passes {
 public:
  explicit StageIn(const Launch& launch);  // collective: makes the trees that are staged in

  double bytes_of_all() const override;
  double files_of_all() const override;
  int read_from() const override { return launch_.global.descriptor(); }

 protected:
  void prepare() override;
  void stage() override;
  void plant() override;
  void verify() override;
  void clean() override;
  double device_bytes() const override;

 private:
  // A part of a file that is in the buffer.
  struct Segment {
    const Entry* entry = nullptr;
    std::int64_t at = 0, bytes = 0;
  };

  bool reads() const { return settings_.source != Source::broadcast || rank() == 0; }
  int owner_of(int rank) const { return settings_.source == Source::own ? rank : 0; }
  std::string source() const;  // folder of the tree that this rank reads
  Range in_copy(int of, const Entry& entry) const;
  void make_source();
  std::vector<Entry> listed();
  void broadcast(std::vector<Entry>& entries) const;
  void make_folders_and_links(const std::vector<Entry>& entries);
  void copy_files(const std::vector<Entry>& entries);
  void copy_batch(const std::vector<Segment>& batch, std::int64_t bytes);
  void read_segment(const Segment& segment, std::byte* into);
  void write_segment(const Segment& segment, const std::byte* from);

  std::vector<Entry> tree_;
  int from_ = -1, to_ = -1;  // the files that are open for the next segment
};

}  // namespace staging
