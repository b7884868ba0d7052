// One pass: all ranks write their data into new files, then each reads what another rank wrote.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "data_file.hpp"
#include "measure/check.hpp"
#include "measure/common_clock.hpp"
#include "rank_data.hpp"
#include "settings.hpp"
#include "storage/call_times.hpp"
#include "storage/io_counts.hpp"
#include "storage/work_folder.hpp"

namespace io_throughput {

// What a launch knows before it writes.
struct Launch {
  tenken::Check& check;
  tenken::storage::SystemCalls& system;
  tenken::storage::WorkFolder& folder;
  Settings settings;
  std::int64_t buffer;                                  // bytes of the data of a rank that are in memory at a time
  std::optional<tenken::storage::Alignment> alignment;  // of direct calls; empty where the file system refuses them

  std::string who() const { return "rank " + std::to_string(check.rank()) + " on " + check.host(); }
};

// Bytes of a rank as its calls and as the kernel counted them, in all passes.
struct Counted {
  bool known = true;
  tenken::storage::IoCounts write, read;
  std::int64_t passes = 0;
  void add(tenken::storage::IoCounts Counted::*part, const std::optional<tenken::storage::IoCounts>& counts) {
    if (counts) this->*part += *counts;
    known = known && counts;
  }
};

class Passes {
 public:
  explicit Passes(const Launch& launch);

  void pass(bool timed);
  // Untimed: each rank reads what `writer` wrote in the last pass.
  void verify(int writer);

  // ns from the first call of any rank to the last one, of each timed pass.
  const std::vector<double>& write_ns() const { return write_ns_; }
  const std::vector<double>& read_ns() const { return read_ns_; }
  // The same of direct reads in calls of up to 16 MiB; empty where the file system refuses them or nothing is compared.
  const std::vector<double>& direct_ns() const { return direct_ns_; }
  const tenken::storage::CallTimes& writes() const { return writes_; }
  const tenken::storage::CallTimes& reads() const { return reads_; }
  const Counted& counted() const { return counted_; }
  // Bytes that the kernel counted from a device over the bytes read, of all ranks, in the pass with the least.
  double least_from_device() const { return least_from_device_; }
  const std::optional<double>& resident() const { return resident_; }  // the most before any read; of this rank
  int source() const { return source_; }                               // the rank whose data this rank reads
  const WrongData& wrong() const { return data_.wrong(); }

 private:
  std::unique_ptr<DataFile> new_file(bool direct) const;
  double write();
  double read();
  std::optional<double> direct_read();
  // Collective calls of MPI-IO wait for the last rank: that time is apart.
  void wait_for_ranks() const;
  void sync_files(DataFile& file) const;
  void plant() const;
  void write_out();
  void prepare_cache();
  // Collective.
  std::optional<double> on_own_file(
      const std::function<std::optional<double>(int file, const std::string& what)>& work) const;
  std::int64_t read_part(DataFile& file, const Places& from, std::int64_t part);
  std::int64_t length_of_file(const std::string& name) const;

  const Launch& launch_;
  const Settings& settings_;
  const Places& places_;
  tenken::CommonClock clock_;
  RankData data_;
  tenken::Buffer<std::byte> direct_;  // of direct reads in the largest calls
  int source_;
  tenken::storage::CallTimes writes_, reads_;
  Counted counted_;
  std::optional<double> resident_;
  double least_from_device_ = std::numeric_limits<double>::infinity();
  std::vector<double> write_ns_, read_ns_, direct_ns_;
  std::int64_t pass_ = 0;
};

}  // namespace io_throughput
