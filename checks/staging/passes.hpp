// What the passes of all variants share: clocks, late calls, counts of the kernel, and wrong files.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "content.hpp"
#include "files.hpp"
#include "measure/check.hpp"
#include "measure/common_clock.hpp"
#include "settings.hpp"
#include "storage/call_times.hpp"
#include "storage/io_counts.hpp"
#include "storage/work_folder.hpp"

namespace staging {

struct Launch {
  tenken::Check& check;
  tenken::storage::SystemCalls& system;
  tenken::storage::WorkFolder& global;
  tenken::storage::WorkFolder& local;
  Settings settings;

  std::string who() const { return "rank " + std::to_string(check.rank()) + " on " + check.host(); }
};

// Kinds 0 to 4 are those of tenken::storage::WrongKind; short_file stands for any wrong length.
enum class WrongFileKind { missing = 5, link = 6, strange = 7, left = 8 };

// The wrong files that a rank found: their number in all passes, and the first file.
struct WrongFiles {
  std::int64_t files = 0;
  std::int64_t kind = 0, owner = 0, number = 0;
  std::int64_t at = 0;  // byte of wrong content
  std::int64_t found_launch = 0, found_rank = 0, found_number = 0;
  std::int64_t bytes = 0, expected_bytes = 0;
};

// Bytes of a rank as its calls moved them and as the kernel counted them, in all passes.
struct Moved {
  bool known = true;
  std::int64_t read = 0, written = 0;
  tenken::storage::IoCounts counted{};
};

class Passes {
 public:
  virtual ~Passes() = default;
  Passes(const Passes&) = delete;
  Passes& operator=(const Passes&) = delete;

  // Collective. Throws UserError (impossible) on all ranks where a call fails.
  void pass(bool timed);

  const std::vector<double>& ns() const { return ns_; }  // of all ranks together, of each timed pass
  const tenken::storage::LateCalls& late_writes() const { return writes_.late(); }
  const tenken::storage::LateCalls& late_reads() const { return reads_.late(); }
  const WrongFiles& wrong() const { return wrong_; }
  const Moved& moved() const { return moved_; }
  const std::optional<double>& resident() const { return resident_; }  // share of the bytes, before the read; the most
  // Bytes from a device over the bytes that a device must give, of all ranks; the pass with the least.
  const std::optional<double>& from_device() const { return from_device_; }

  virtual double bytes_of_all() const = 0;  // that reach their place in a pass, of all ranks
  virtual double files_of_all() const = 0;
  // A folder of the case, whose file system is that of the reads; -1 where nothing is read.
  virtual int read_from() const = 0;

 protected:
  explicit Passes(const Launch& launch, std::int64_t calls);

  virtual void prepare() = 0;  // untimed
  virtual void stage() = 0;    // timed
  virtual void plant() = 0;    // faults in the files, on the last rank
  virtual void verify() = 0;   // untimed: files of next_rank()
  virtual void clean() = 0;    // untimed: own files are removed
  // Bytes that a device must give in a pass for the reads of all ranks; 0 where nothing is read.
  virtual double device_bytes() const { return 0; }

  // A range of a file with content of `owner`, compared with the words of file `number`.
  struct Range {
    int folder = -1;
    std::string path{};
    int owner = 0, number = 0;
    std::int64_t at = 0, bytes = 0;           // in the file
    std::optional<std::int64_t> length = {};  // of the whole file, where it is not at + bytes
  };
  void compare(const Range& range);
  void note(WrongFiles wrong);
  // Writes the content of a range, untimed.
  void fill_file(const Range& range, bool sync);
  // Adds a file to the share of bytes in the page cache, after an attempt to drop them, or reads it into the cache.
  void prepare_file(const Range& range);
  void finish_preparing();
  void plant_in(const Range& range) const;
  void late(tenken::storage::CallTimes& times, std::int64_t before, std::int64_t at) const;

  int rank() const { return launch_.check.rank(); }
  bool last() const { return rank() == launch_.check.ranks() - 1; }
  std::byte* buffer() { return reinterpret_cast<std::byte*>(words_.data()); }

  const Launch& launch_;
  const Settings& settings_;
  tenken::CommonClock clock_;
  Files files_;
  Content content_;
  int next_;  // the rank whose files this rank compares
  tenken::storage::CallTimes writes_, reads_;
  Moved moved_;
  std::int64_t pass_ = 0;

 private:
  tenken::Buffer<std::uint64_t> words_;  // of a transfer
  std::vector<double> ns_;
  WrongFiles wrong_;
  std::optional<double> resident_, from_device_;
  double resident_bytes_ = 0, prepared_bytes_ = 0;
  bool resident_known_ = true;
};

std::unique_ptr<Passes> passes_of(const Launch& launch);

// Bytes of the files that each rank makes in the global and in the local folder at a time, file by file.
struct Sizes {
  std::vector<std::int64_t> global, local;
};
Sizes sizes_of(const Settings& settings, int rank);

}  // namespace staging
