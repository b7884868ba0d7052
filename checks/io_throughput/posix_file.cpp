#include <fcntl.h>

#include <cerrno>
#include <cstring>

#include "data_file.hpp"
#include "storage/whole_calls.hpp"

namespace io_throughput {

namespace {

using tenken::storage::Alignment;
using tenken::storage::SystemCalls;

class PosixFile : public DataFile {
 public:
  PosixFile(SystemCalls& system, int folder, std::string who, std::optional<Alignment> direct)
      : DataFile(std::move(who)), system_(system), folder_(folder), direct_(direct) {}
  ~PosixFile() override {
    for (const int one : {file_, plain_}) {
      if (one >= 0) system_.close(one);
    }
  }

  void open(const std::string& name, Use use) override {
    if (failed()) return;
    name_ = name;
    const int flags = (use == Use::write ? O_WRONLY | O_CREAT : O_RDONLY) | O_NOFOLLOW;
    file_ = system_.open_at(folder_, name.c_str(), flags | (direct_ ? O_DIRECT : 0), 0600);
    if (direct_ && file_ >= 0) plain_ = system_.open_at(folder_, name.c_str(), flags, 0600);
    if (file_ < 0 || (direct_ && plain_ < 0)) fail("open", name_, 0, std::strerror(errno));
  }

  void write(const std::byte* from, std::int64_t bytes, std::int64_t at) override {
    const std::int64_t whole = direct_part(bytes);
    write_all(file_, from, whole, at);
    if (whole < bytes) write_all(plain_, from + whole, bytes - whole, at + whole);
  }

  std::int64_t read(std::byte* into, std::int64_t bytes, std::int64_t at) override {
    const std::int64_t whole = direct_part(bytes);
    const std::int64_t got = read_all(file_, into, whole, at);
    return got < whole || whole == bytes ? got : got + read_all(plain_, into + whole, bytes - whole, at + whole);
  }

  void sync() override {
    if (!failed() && system_.sync(file_) != 0) fail("sync", name_, 0, std::strerror(errno));
  }

  void close() override {
    for (int* one : {&file_, &plain_}) {
      if (*one >= 0 && system_.close(*one) != 0) fail("close", name_, 0, std::strerror(errno));
      *one = -1;
    }
  }

 private:
  std::int64_t direct_part(std::int64_t bytes) const {
    return direct_ ? bytes / direct_->offset * direct_->offset : bytes;
  }

  void write_all(int file, const std::byte* from, std::int64_t bytes, std::int64_t at) {
    if (failed()) return;
    const std::int64_t done = tenken::storage::write_all(system_, file, from, bytes, at);
    if (done < bytes) fail("write", name_, at + done, errno != 0 ? std::strerror(errno) : "the system wrote nothing");
  }

  std::int64_t read_all(int file, std::byte* into, std::int64_t bytes, std::int64_t at) {
    if (failed()) return 0;
    const std::int64_t done = tenken::storage::read_all(system_, file, into, bytes, at);
    if (done < bytes && errno != 0) fail("read", name_, at + done, std::strerror(errno));
    return done;
  }

  SystemCalls& system_;
  int folder_;
  std::optional<Alignment> direct_;
  std::string name_;
  int file_ = -1, plain_ = -1;
};

}  // namespace

std::unique_ptr<DataFile> posix_file(SystemCalls& system, int folder, std::string who,
                                     std::optional<Alignment> direct) {
  return std::make_unique<PosixFile>(system, folder, std::move(who), direct);
}

}  // namespace io_throughput
