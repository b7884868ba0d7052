// The file of a rank, by calls of the system or of MPI-IO. The first call that fails is kept and stops the later calls,
// so that ranks stay in step; `require` throws.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "storage/alignment.hpp"
#include "storage/system_calls.hpp"

namespace io_throughput {

enum class Use { write, read };

class DataFile {
 public:
  explicit DataFile(std::string who) : who_(std::move(who)) {}
  virtual ~DataFile() = default;
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;

  virtual void open(const std::string& name, Use use) = 0;
  virtual void write(const std::byte* from, std::int64_t bytes, std::int64_t at) = 0;
  // Bytes read: fewer than asked for where the file ends.
  virtual std::int64_t read(std::byte* into, std::int64_t bytes, std::int64_t at) = 0;
  virtual void sync() = 0;
  virtual void close() = 0;

  // Throws the first failure as UserError (impossible): rank, host, file, offset and the reason.
  void require() const {
    if (failure_) tenken::impossible(*failure_);
  }

 protected:
  bool failed() const { return failure_.has_value(); }
  void fail(const char* phase, const std::string& name, std::int64_t at, const std::string& why) {
    if (failed()) return;
    failure_ = who_ + ", file " + name + ", offset " + std::to_string(at) + ": " + why + " (" + phase +
               "); free space on the root or name another root";
  }

 private:
  std::string who_;
  std::optional<std::string> failure_;
};

// `who`: "rank 3 on n0". With `direct` whole multiples of the alignment pass by the page cache; the rest of the last
// call goes through it.
std::unique_ptr<DataFile> posix_file(tenken::storage::SystemCalls& system, int folder, std::string who,
                                     std::optional<tenken::storage::Alignment> direct);
// Collective over `comm` where the file is shared by its ranks.
std::unique_ptr<DataFile> mpi_io_file(MPI_Comm comm, int folder, std::string who);

}  // namespace io_throughput
