// What reading and writing a NERSC configuration share: a file by offsets, its contiguous parts, and one sentence for
// all ranks when something goes wrong on one of them.
#pragma once

#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "qcd/gauge/nersc_header.hpp"
#include "qcd/geometry.hpp"

namespace tenken::qcd {

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

// Calls work(first local site, sites) for all parts of the block that are contiguous in the file, at most a few MiB
// each, in the order of the local sites.
template <class Work>
void for_each_piece(const Geometry& geometry, int link_bytes, Work work) {
  const Index4& extents = geometry.block.extents();
  std::int64_t run = extents[0];
  for (int d = 0; d + 1 < dimensions && extents[d] == geometry.block.lattice()[d]; ++d) run *= extents[d + 1];
  constexpr std::int64_t piece_bytes = 4 << 20;
  const std::int64_t most = std::max<std::int64_t>(1, piece_bytes / (directions * link_bytes));
  for (std::int64_t row = 0; row < geometry.sites; row += run) {
    for (std::int64_t at = row; at < row + run; at += most) {
      work(static_cast<int>(at), static_cast<int>(std::min(most, row + run - at)));
    }
  }
}

// Of a local site.
std::int64_t place_in_file(const NerscHeader& header, const Geometry& geometry, int site);

}  // namespace tenken::qcd
