// A file that several ranks read or write by offsets, and the same sentence on all ranks when something goes wrong on
// one rank.
#pragma once

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace tenken {

std::string host_name();

int rank_in(MPI_Comm comm);

// Throws the error of the first rank that has one, on all ranks. Collective.
void agree(MPI_Comm comm, const UserError* mine);

// Runs `work`, which must not communicate, on every rank. What the first rank in trouble throws, all throw.
template <class Work>
void together(MPI_Comm comm, Work work) {
  try {
    work();
  } catch (const UserError& error) {
    agree(comm, &error);
  }
  agree(comm, nullptr);
}

class SharedFile {
 public:
  SharedFile(const std::string& path, int flags);
  ~SharedFile();
  SharedFile(const SharedFile&) = delete;
  SharedFile& operator=(const SharedFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  // Bytes read: fewer than asked for at the end of the file, -1 with errno set on an error.
  std::int64_t read(std::int64_t at, std::span<std::byte> into) const;
  // False with errno set on an error, as is `finish`: written through to the disk and closed.
  bool write(std::int64_t at, std::span<const std::byte> from) const;
  bool finish();

 private:
  int descriptor_;
};

}  // namespace tenken
