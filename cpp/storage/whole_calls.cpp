#include "storage/whole_calls.hpp"

#include <cerrno>

namespace tenken::storage {

namespace {

template <class Call>
std::int64_t repeat(std::int64_t bytes, Call call) {
  std::int64_t done = 0;
  while (done < bytes) {
    errno = 0;
    const ssize_t n = call(done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += n;
  }
  return done;
}

}  // namespace

std::int64_t write_all(SystemCalls& system, int file, const std::byte* from, std::int64_t bytes, std::int64_t at) {
  return repeat(bytes, [&](std::int64_t done) {
    return system.write(file, from + done, static_cast<std::size_t>(bytes - done), at + done);
  });
}

std::int64_t read_all(SystemCalls& system, int file, std::byte* into, std::int64_t bytes, std::int64_t at) {
  return repeat(bytes, [&](std::int64_t done) {
    return system.read(file, into + done, static_cast<std::size_t>(bytes - done), at + done);
  });
}

}  // namespace tenken::storage
