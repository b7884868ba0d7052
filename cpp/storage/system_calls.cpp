#include "storage/system_calls.hpp"

#include <fcntl.h>
#include <linux/quota.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

namespace tenken::storage {

uid_t SystemCalls::user() const { return geteuid(); }

int SystemCalls::open_at(int folder, const char* name, int flags, mode_t mode) {
  return openat(folder, name, flags | O_CLOEXEC, mode);
}

int SystemCalls::make_folder(int folder, const char* name, mode_t mode) { return mkdirat(folder, name, mode); }

int SystemCalls::remove(int folder, const char* name, int flags) { return unlinkat(folder, name, flags); }

int SystemCalls::rename(int folder, const char* from, const char* to) { return renameat(folder, from, folder, to); }

int SystemCalls::make_link(const char* target, int folder, const char* name) { return symlinkat(target, folder, name); }

ssize_t SystemCalls::read_link(int folder, const char* name, char* into, std::size_t bytes) {
  return readlinkat(folder, name, into, bytes);
}

ssize_t SystemCalls::read(int file, void* into, std::size_t bytes, off_t at) { return pread(file, into, bytes, at); }

ssize_t SystemCalls::write(int file, const void* from, std::size_t bytes, off_t at) {
  return pwrite(file, from, bytes, at);
}

int SystemCalls::sync(int file) { return fsync(file); }

int SystemCalls::sync_data(int file) { return fdatasync(file); }

int SystemCalls::close(int file) { return ::close(file); }

int SystemCalls::lock(int file, int operation) { return flock(file, operation); }

int SystemCalls::status(int file, struct stat& into) { return fstat(file, &into); }

int SystemCalls::status_at(int folder, const char* name, struct stat& into) {
  return fstatat(folder, name, &into, AT_SYMLINK_NOFOLLOW);
}

int SystemCalls::touch(int file) { return futimens(file, nullptr); }

int SystemCalls::drop_cache(int file) {
  const int error = posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

std::optional<double> SystemCalls::resident_share(int file, std::int64_t bytes) {
  if (bytes <= 0) return std::nullopt;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto length = static_cast<std::size_t>(bytes);
  void* mapping = mmap(nullptr, length, PROT_READ, MAP_SHARED, file, 0);
  if (mapping == MAP_FAILED) return std::nullopt;
  std::vector<unsigned char> pages((length + page - 1) / page);
  const bool known = mincore(mapping, length, pages.data()) == 0;
  munmap(mapping, length);
  if (!known) return std::nullopt;
  const auto resident = std::count_if(pages.begin(), pages.end(), [](unsigned char one) { return (one & 1) != 0; });
  return static_cast<double>(resident) / static_cast<double>(pages.size());
}

namespace {

struct Quota {
  std::optional<std::int64_t> bytes{}, files{};
};

// `limit` less `used`; empty without a limit.
std::optional<std::int64_t> left(std::uint64_t soft, std::uint64_t hard, std::uint64_t unit, std::uint64_t used) {
  const std::uint64_t limit = (soft != 0 ? soft : hard) * unit;
  if (limit == 0) return {};
  return static_cast<std::int64_t>(limit - std::min(limit, used));
}

// Bytes and files that the user's quota leaves (soft limits, which are the lower ones); empty without a quota, or where
// the kernel has no quotactl_fd (5.14).
Quota quota_left(int folder, uid_t user) {
#ifdef SYS_quotactl_fd
  struct if_dqblk quota {};
  const unsigned int command = QCMD(Q_GETQUOTA, USRQUOTA);
  if (syscall(SYS_quotactl_fd, folder, command, user, &quota) != 0 || (quota.dqb_valid & QIF_LIMITS) == 0) return {};
  constexpr std::uint64_t block = 1024;  // of limits (quotactl(2)); the space in use is in bytes
  Quota found;
  found.bytes = left(quota.dqb_bsoftlimit, quota.dqb_bhardlimit, block, quota.dqb_curspace);
  if ((quota.dqb_valid & QIF_INODES) != 0) {
    found.files = left(quota.dqb_isoftlimit, quota.dqb_ihardlimit, 1, quota.dqb_curinodes);
  }
  return found;
#else
  static_cast<void>(folder), static_cast<void>(user);
  return {};
#endif
}

}  // namespace

std::optional<Space> SystemCalls::space(int folder) {
  struct statvfs of {};
  if (fstatvfs(folder, &of) != 0) return std::nullopt;
  const auto block = static_cast<std::int64_t>(of.f_frsize);
  const Quota quota = quota_left(folder, user());
  std::optional<std::int64_t> files = quota.files;
  if (of.f_files > 0) files = std::min(files.value_or(INT64_MAX), static_cast<std::int64_t>(of.f_favail));
  return Space{static_cast<std::int64_t>(of.f_blocks) * block, static_cast<std::int64_t>(of.f_bavail) * block,
               quota.bytes, files, block};
}

std::int64_t SystemCalls::file_system(int folder) {
  struct statfs of {};
  return fstatfs(folder, &of) == 0 ? static_cast<std::int64_t>(of.f_type) : -1;
}

namespace {

// The answer of statx for one of its newer fields. The layout of struct statx is fixed (linux/stat.h); headers older
// than the kernel lack these fields.
class Statx {
 public:
  Statx(int file, unsigned int wanted) {
    known_ = syscall(SYS_statx, file, "", AT_EMPTY_PATH, wanted, answer_.data()) == 0 &&
             (number<std::uint32_t>(0) & wanted) != 0;
  }
  bool known() const { return known_; }
  template <class Number>
  Number number(std::size_t at) const {
    Number value = 0;
    std::memcpy(&value, answer_.data() + at, sizeof value);
    return value;
  }

 private:
  alignas(8) std::array<unsigned char, 256> answer_{};
  bool known_ = false;
};

}  // namespace

std::optional<std::uint64_t> SystemCalls::mount(int file) {
  constexpr unsigned int mount_number = 0x1000;  // STATX_MNT_ID
  const Statx answer(file, mount_number);
  return answer.known() ? std::optional(answer.number<std::uint64_t>(0x90)) : std::nullopt;
}

std::optional<StatedAlignment> SystemCalls::stated_alignment(int file) {
  constexpr unsigned int alignments = 0x2000;  // STATX_DIOALIGN
  const Statx answer(file, alignments);
  if (!answer.known()) return std::nullopt;
  return StatedAlignment{answer.number<std::uint32_t>(0x98), answer.number<std::uint32_t>(0x9c)};
}

}  // namespace tenken::storage
