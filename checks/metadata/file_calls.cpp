#include "file_calls.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.hpp"
#include "storage/whole_calls.hpp"

namespace metadata {

namespace storage = tenken::storage;

const char* name_of(Phase phase) {
  constexpr const char* names[phases] = {"create", "stat", "read", "remove"};
  return names[static_cast<int>(phase)];
}

FileCalls::FileCalls(tenken::storage::SystemCalls& system, int folder, std::string who)
    : system_(system), folder_(folder), who_(std::move(who)) {}

void FileCalls::fail(const char* phase, const std::string& path, const char* advice) {
  if (failed()) return;
  failure_ = who_ + ", file " + path + ": " + (errno != 0 ? std::strerror(errno) : "the system wrote nothing") + " (" +
             phase + "); " + advice;
}

void FileCalls::require() const {
  if (failure_) tenken::impossible(*failure_);
}

void FileCalls::create(const std::string& path, const std::byte* from, std::int64_t bytes) {
  if (failed()) return;
  const int file = system_.open_at(folder_, path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (file < 0) return fail("create", path);
  if (storage::write_all(system_, file, from, bytes, 0) < bytes) fail("write", path);
  if (system_.close(file) != 0) fail("close", path);
}

Seen FileCalls::stat(const std::string& path) {
  struct stat of {};
  if (failed()) return {};
  if (system_.status_at(folder_, path.c_str(), of) != 0) {
    if (errno == ENOENT) return {.answer = Seen::Answer::missing};
    fail("stat", path);
    return {};
  }
  if (!S_ISREG(of.st_mode)) return {};
  return {Seen::Answer::file, static_cast<std::int64_t>(of.st_size)};
}

Seen FileCalls::read(const std::string& path, std::byte* into, std::int64_t bytes) {
  if (failed()) return {};
  const int file = system_.open_at(folder_, path.c_str(), O_RDONLY | O_NOFOLLOW, 0);
  if (file < 0) {
    if (errno == ENOENT) return {.answer = Seen::Answer::missing};
    fail("open", path);
    return {};
  }
  const std::int64_t got = storage::read_all(system_, file, into, bytes, 0);
  if (got < bytes && errno != 0) fail("read", path);
  if (system_.close(file) != 0) fail("close", path);
  return {Seen::Answer::file, got};
}

bool FileCalls::remove(const std::string& path) {
  if (failed()) return true;
  if (system_.remove(folder_, path.c_str(), 0) == 0) return true;
  if (errno == ENOENT) return false;
  fail("remove", path);
  return true;
}

void FileCalls::sync_folder(const std::string& path) {
  if (failed()) return;
  const int folder = system_.open_at(folder_, path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
  if (folder < 0 || system_.sync(folder) != 0) {
    fail("fsync of the folder", path, "name another root or choose --sync false");
  }
  if (folder >= 0) system_.close(folder);
}

}  // namespace metadata
