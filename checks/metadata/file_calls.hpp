// The operations on the files of a rank, by calls of the system; no MPI, no timing. The first call that fails for
// another reason than a missing file is stored and stops later calls, so that ranks stay in step; `require` throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "storage/system_calls.hpp"

namespace metadata {

// Numbers are those of the tables wrong_files and late_operations.
enum class Phase { create = 0, stat = 1, read = 2, remove = 3 };
constexpr int phases = 4;
const char* name_of(Phase phase);

// The answer of the system about a file.
struct Seen {
  enum class Answer { file, missing, nothing } answer = Answer::nothing;  // nothing: the call did not fill its answer
  std::int64_t bytes = 0;                                                 // stat: length of the file; read: bytes read
};

class FileCalls {
 public:
  // `folder`: descriptor of the launch's folder. `who`: "rank 3 on n0".
  FileCalls(tenken::storage::SystemCalls& system, int folder, std::string who);

  void create(const std::string& path, const std::byte* from, std::int64_t bytes);  // refuses a file that is there
  Seen stat(const std::string& path);
  Seen read(const std::string& path, std::byte* into, std::int64_t bytes);
  bool remove(const std::string& path);  // false: missing
  void sync_folder(const std::string& path);

  // Throws the first failure as UserError (impossible): rank, host, file, phase and the reason.
  void require() const;

 private:
  bool failed() const { return failure_.has_value(); }
  void fail(const char* phase, const std::string& path,
            const char* advice = "free space on the root or name another root");

  tenken::storage::SystemCalls& system_;
  int folder_;
  std::string who_;
  std::optional<std::string> failure_;
};

}  // namespace metadata
