// The system calls of checks of files. Tests and planted faults put others in their place.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tenken::storage {

// Space of a file system, in bytes but for `files`.
struct Space {
  std::int64_t total = 0;
  std::int64_t free = 0;                // for this user
  std::optional<std::int64_t> quota{};  // that this user may still write; empty where the system does not say
  std::optional<std::int64_t> files{};  // that this user may still make; empty where the system does not count them
  std::int64_t block = 1;               // the unit of a file's space
};

// Alignment of direct reads and writes in bytes, as `statx` states it; 0: the file system refuses them.
struct StatedAlignment {
  std::int64_t memory = 0;
  std::int64_t offset = 0;
};

// Functions that return int or ssize_t answer as the system call of that name: -1 with errno set on an error.
class SystemCalls {
 public:
  virtual ~SystemCalls() = default;

  virtual uid_t user() const;
  virtual int open_at(int folder, const char* name, int flags, mode_t mode = 0);
  virtual int make_folder(int folder, const char* name, mode_t mode);
  virtual int remove(int folder, const char* name, int flags);
  virtual int rename(int folder, const char* from, const char* to);         // within a folder
  virtual int make_link(const char* target, int folder, const char* name);  // symbolic
  virtual ssize_t read_link(int folder, const char* name, char* into, std::size_t bytes);
  virtual ssize_t read(int file, void* into, std::size_t bytes, off_t at);
  virtual ssize_t write(int file, const void* from, std::size_t bytes, off_t at);
  virtual int sync(int file);       // fsync
  virtual int sync_data(int file);  // fdatasync
  virtual int close(int file);
  virtual int lock(int file, int operation);  // flock
  virtual int status(int file, struct stat& into);
  virtual int status_at(int folder, const char* name, struct stat& into);  // fstatat, of a link itself
  virtual int touch(int file);                                             // futimens: changed now
  // Number of the mount (/proc/self/mountinfo) in which the file lies; empty where the kernel does not say
  // (before 5.8).
  virtual std::optional<std::uint64_t> mount(int file);
  virtual int drop_cache(int file);  // posix_fadvise with POSIX_FADV_DONTNEED, but -1 and errno on an error
  // Share of the file's first `bytes` that lies in the page cache of this node; empty where the system does not say.
  virtual std::optional<double> resident_share(int file, std::int64_t bytes);
  virtual std::optional<Space> space(int folder);
  virtual std::int64_t file_system(int folder);  // f_type of statfs, -1 on an error
  // Empty where the kernel does not say (before 6.1).
  virtual std::optional<StatedAlignment> stated_alignment(int file);
};

}  // namespace tenken::storage
