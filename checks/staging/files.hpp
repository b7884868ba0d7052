// Calls on files of the check. The first call that fails is stored and stops the later calls, so that ranks stay in
// step; `require` throws.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "storage/system_calls.hpp"

namespace staging {

class Files {
 public:
  // `who`: "rank 3 on n0".
  Files(tenken::storage::SystemCalls& system, std::string who) : system_(system), who_(std::move(who)) {}

  // Descriptors are -1 after a failure. `folder` is an open folder; paths are below it and no link is followed.
  int open_to_read(int folder, const std::string& path);
  int open_to_write(int folder, const std::string& path);  // makes the file where it is missing
  int make(int folder, const std::string& path);           // a new file, and a failure where it is there
  void write(int file, const std::string& path, const std::byte* from, std::int64_t bytes, std::int64_t at);
  // Bytes read: fewer than asked for where the file ends.
  std::int64_t read(int file, const std::string& path, std::byte* into, std::int64_t bytes, std::int64_t at);
  void sync(int file, const std::string& path);
  void close(int file, const std::string& path);
  void rename(int folder, const std::string& from, const std::string& to);
  void make_folder(int folder, const std::string& path);
  void make_link(int folder, const std::string& path, const std::string& target);
  void sync_folder(int folder, const std::string& path);  // "." for the folder itself

  bool failed() const { return failure_.has_value(); }
  // Throws the first failure as UserError (impossible): rank, host, file, the call and the reason.
  void require() const;

 private:
  int opened(int folder, const std::string& path, int flags, const char* call);
  void fail(const char* call, const std::string& path);

  tenken::storage::SystemCalls& system_;
  std::string who_;
  std::optional<std::string> failure_;
};

}  // namespace staging
