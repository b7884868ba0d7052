// One pass: all ranks create files, other ranks stat and read the files, then the files are removed.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "file_calls.hpp"
#include "file_data.hpp"
#include "listing.hpp"
#include "measure/check.hpp"
#include "measure/common_clock.hpp"
#include "settings.hpp"
#include "storage/call_times.hpp"
#include "storage/work_folder.hpp"

namespace metadata {

struct Launch {
  tenken::Check& check;
  tenken::storage::SystemCalls& system;
  tenken::storage::WorkFolder& folder;
  Settings settings;

  std::string who() const { return "rank " + std::to_string(check.rank()) + " on " + check.host(); }
};

// Kinds 0 to 4 are those of tenken::storage::WrongKind; short_file stands for any wrong length.
enum class WrongFileKind { missing = 5, left = 6, strange = 7 };

// The wrong files that a rank found: their number, and the first file.
struct WrongFiles {
  std::int64_t files = 0;  // in all passes
  std::int64_t kind = 0, phase = 0, writer = 0, file = 0;
  std::int64_t at = 0;  // byte of wrong content
  std::int64_t found_launch = 0, found_rank = 0, found_file = 0;
  std::int64_t bytes = 0, expected_bytes = 0;
};
constexpr int numbers_of_wrong_files = 11;
static_assert(sizeof(WrongFiles) == numbers_of_wrong_files * sizeof(std::int64_t));

class Passes {
 public:
  explicit Passes(const Launch& launch);

  // Collective. Throws UserError (impossible) on all ranks where a call fails or a phase of a rank did nothing.
  void pass(bool timed);

  // ns of all ranks together in each timed pass, by phase.
  const std::vector<double>& ns(Phase phase) const { return ns_[static_cast<std::size_t>(phase)]; }
  const tenken::storage::LateCalls& late(Phase phase) const { return late_[static_cast<std::size_t>(phase)].late(); }
  const WrongFiles& wrong() const { return wrong_; }
  int source() const { return source_; }  // the rank whose files this rank stats and reads
  // Files that the folders list after creation, less those of all ranks: the pass that is furthest off.
  double listed_too_many() const { return listed_off_; }

 private:
  using Operation = std::function<bool(int file)>;  // true: the operation was done

  double phase(Phase phase, const Operation& operation, const std::function<void()>& after = {});
  void require_done(Phase phase, std::int64_t done) const;
  void make_folders() const;
  void sync_folders();
  void plant() const;
  void list_after_creation();
  Listing list() const;
  Listing list_until_empty() const;
  void create();
  void stat();
  void read();
  void verify();
  void remove();
  void compare(int writer, int file, const Seen& seen);
  void note(WrongFiles wrong);

  const Launch& launch_;
  const Settings& settings_;
  const Places& places_;
  tenken::CommonClock clock_;
  // Ranks: whose files this rank lists, whose it stats and reads, and whose it only compares (-1: none).
  int next_, source_, verifier_of_;
  std::vector<std::string> own_, of_source_;  // paths
  FileData data_;
  FileCalls calls_;
  std::array<tenken::storage::CallTimes, phases> late_;
  std::array<std::vector<double>, phases> ns_;
  std::array<double, phases> now_ns_{};
  WrongFiles wrong_;
  std::set<std::pair<std::int64_t, std::int64_t>> noted_;  // files of this pass
  double listed_off_ = 0;
  std::int64_t pass_ = 0;
};

}  // namespace metadata
