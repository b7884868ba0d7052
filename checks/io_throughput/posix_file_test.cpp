// Calls of the system that fail, stop short or are interrupted, without a disk.
#include <doctest/doctest.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <vector>

#include "data_file.hpp"
#include "places.hpp"
#include "planted_calls.hpp"

using namespace io_throughput;
using tenken::UserError;

namespace {

// A file system in memory that answers as it is asked to.
struct FakeCalls : tenken::storage::SystemCalls {
  std::vector<std::byte> data = std::vector<std::byte>(4096);
  std::map<int, int> flags;  // of descriptors
  std::map<int, std::int64_t> written;
  int next = 3, interrupted = 0;
  std::size_t most = 4096;  // bytes of a call
  int open_error = 0, write_error = 0, sync_error = 0, close_error = 0;

  int answer(int error, int right) {
    errno = error;
    return error != 0 ? -1 : right;
  }
  int open_at(int, const char*, int how, mode_t) override {
    if (open_error == 0) flags[next] = how;
    return answer(open_error, next++);
  }
  ssize_t write(int file, const void* from, std::size_t bytes, off_t at) override {
    if (interrupted > 0) return --interrupted, answer(EINTR, 0);
    if (write_error != 0) return answer(write_error, 0);
    const std::size_t some = std::min(bytes, most);
    std::memcpy(data.data() + at, from, some);
    written[file] += static_cast<std::int64_t>(some);
    return static_cast<ssize_t>(some);
  }
  ssize_t read(int, void* into, std::size_t bytes, off_t at) override {
    if (interrupted > 0) return --interrupted, answer(EINTR, 0);
    const std::size_t some = std::min({bytes, most, data.size() - static_cast<std::size_t>(at)});
    std::memcpy(into, data.data() + at, some);
    return static_cast<ssize_t>(some);
  }
  int sync(int) override { return answer(sync_error, 0); }
  int close(int) override { return answer(close_error, 0); }
};

struct Opened {
  FakeCalls system;
  std::unique_ptr<DataFile> file;
  std::vector<std::byte> data = std::vector<std::byte>(2000, std::byte{7});

  explicit Opened(std::optional<tenken::storage::Alignment> direct = std::nullopt, Use use = Use::write)
      : file(posix_file(system, 5, "rank 3 on n0", direct)) {
    file->open("data.3", use);
  }
  std::string failure() {
    try {
      file->require();
    } catch (const UserError& error) {
      CHECK(error.code() == tenken::ExitCode::impossible);
      return error.what();
    }
    return "";
  }
};

TEST_CASE("calls that stop short or are interrupted go on where they stopped") {
  Opened of;
  of.system.most = 300;
  of.system.interrupted = 2;
  of.file->write(of.data.data(), 2000, 100);
  CHECK(of.failure().empty());
  CHECK(std::count(of.system.data.begin(), of.system.data.end(), std::byte{7}) == 2000);
  of.system.interrupted = 1;
  std::vector<std::byte> back(2000);
  CHECK(of.file->read(back.data(), 2000, 100) == 2000);
  CHECK(back == of.data);
}

TEST_CASE("the first failure has rank, host, file, offset, reason and phase") {
  Opened of;
  of.system.write_error = ENOSPC;
  of.file->write(of.data.data(), 2000, 64);
  of.system.write_error = EIO;
  of.file->write(of.data.data(), 2000, 128);
  CHECK(of.failure() ==
        "rank 3 on n0, file data.3, offset 64: No space left on device (write); free space on the root or name "
        "another root");
}

TEST_CASE("open, sync and close fail by name") {
  Opened open, sync, close;
  open.system.open_error = EDQUOT;
  open.file->open("data.3", Use::write);
  CHECK(open.failure().find("Disk quota exceeded (open)") != std::string::npos);
  sync.system.sync_error = EIO;
  sync.file->sync();
  CHECK(sync.failure().find("Input/output error (sync)") != std::string::npos);
  close.system.close_error = EIO;
  close.file->close();
  CHECK(close.failure().find("Input/output error (close)") != std::string::npos);
}

TEST_CASE("a call that writes nothing is a failure, a read at the end of the file is short") {
  Opened of;
  of.system.most = 0;
  of.file->write(of.data.data(), 8, 0);
  CHECK(of.failure().find("the system wrote nothing") != std::string::npos);
  Opened end(std::nullopt, Use::read);
  CHECK(end.file->read(end.data.data(), 2000, 4000) == 96);
}

TEST_CASE("the part of a call that is no multiple of the alignment goes without O_DIRECT") {
  Opened of(tenken::storage::Alignment{512, 512, true});
  REQUIRE(of.system.flags.size() == 2);
  CHECK((of.system.flags.at(3) & O_DIRECT) != 0);
  CHECK((of.system.flags.at(4) & O_DIRECT) == 0);
  CHECK((of.system.flags.at(3) & O_NOFOLLOW) != 0);
  of.file->write(of.data.data(), 2000, 1024);
  CHECK((of.system.written.at(3) == 1536 && of.system.written.at(4) == 464));
}

TEST_CASE("planted faults are on the rank of the fault alone") {
  char byte = 0;
  PlantedCalls full("full_disk", true, 8), elsewhere("full_disk", false, 8);
  CHECK((full.write(-1, &byte, 5, 0) == -1 && errno == ENOSPC));
  CHECK((elsewhere.write(-1, &byte, 5, 0) == -1 && errno == EBADF));
  PlantedCalls late("late_close", true, 8);
  CHECK(late.write(-1, &byte, 1, 0) == 1);  // the call ends before the data are written
  CHECK(late.sync(-1) == 0);
  CHECK(late.close(-1) == -1);
  PlantedCalls cached("cached_read", true, 8);
  CHECK(cached.drop_cache(-1) == 0);
}

}  // namespace
