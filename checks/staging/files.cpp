#include "files.hpp"

#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "storage/whole_calls.hpp"

namespace staging {

namespace storage = tenken::storage;

void Files::fail(const char* call, const std::string& path) {
  if (failed()) return;
  failure_ = who_ + ", file " + path + ": " + (errno != 0 ? std::strerror(errno) : "the system wrote nothing") + " (" +
             call + "); free space on the root or name another root";
}

void Files::require() const {
  if (failure_) tenken::impossible(*failure_);
}

int Files::opened(int folder, const std::string& path, int flags, const char* call) {
  if (failed()) return -1;
  const int file = system_.open_at(folder, path.c_str(), flags | O_NOFOLLOW, 0600);
  if (file < 0) fail(call, path);
  return file;
}

int Files::open_to_read(int folder, const std::string& path) { return opened(folder, path, O_RDONLY, "open"); }

int Files::open_to_write(int folder, const std::string& path) {
  return opened(folder, path, O_WRONLY | O_CREAT, "open");
}

int Files::make(int folder, const std::string& path) {
  return opened(folder, path, O_WRONLY | O_CREAT | O_EXCL, "create");
}

void Files::write(int file, const std::string& path, const std::byte* from, std::int64_t bytes, std::int64_t at) {
  if (!failed() && storage::write_all(system_, file, from, bytes, at) < bytes) fail("write", path);
}

std::int64_t Files::read(int file, const std::string& path, std::byte* into, std::int64_t bytes, std::int64_t at) {
  if (failed()) return 0;
  const std::int64_t got = storage::read_all(system_, file, into, bytes, at);
  if (got < bytes && errno != 0) fail("read", path);
  return got;
}

void Files::sync(int file, const std::string& path) {
  if (!failed() && system_.sync(file) != 0) fail("fsync", path);
}

void Files::close(int file, const std::string& path) {
  if (file >= 0 && system_.close(file) != 0) fail("close", path);
}

void Files::rename(int folder, const std::string& from, const std::string& to) {
  if (!failed() && system_.rename(folder, from.c_str(), to.c_str()) != 0) fail("rename", from);
}

void Files::make_folder(int folder, const std::string& path) {
  if (!failed() && system_.make_folder(folder, path.c_str(), 0700) != 0) fail("mkdir", path);
}

void Files::make_link(int folder, const std::string& path, const std::string& target) {
  if (!failed() && system_.make_link(target.c_str(), folder, path.c_str()) != 0) fail("symlink", path);
}

void Files::sync_folder(int folder, const std::string& path) {
  const int opened_folder = opened(folder, path, O_RDONLY | O_DIRECTORY, "open");
  sync(opened_folder, path);
  close(opened_folder, path);
}

}  // namespace staging
