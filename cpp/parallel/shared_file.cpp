#include "parallel/shared_file.hpp"

namespace tenken {

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

void agree(MPI_Comm comm, const UserError* mine) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  int first = mine == nullptr ? ranks : rank_in(comm);
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == ranks) return;
  std::string sentence = mine == nullptr ? "" : mine->what();
  int told[2] = {mine == nullptr ? 0 : static_cast<int>(mine->code()), static_cast<int>(sentence.size())};
  MPI_Bcast(told, 2, MPI_INT, first, comm);
  sentence.resize(static_cast<std::size_t>(told[1]));
  MPI_Bcast(sentence.data(), told[1], MPI_CHAR, first, comm);
  throw UserError(static_cast<ExitCode>(told[0]), sentence);
}

SharedFile::SharedFile(const std::string& path, int flags) : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0666)) {}

SharedFile::~SharedFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::int64_t SharedFile::read(std::int64_t at, std::span<std::byte> into) const {
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t n = pread(descriptor_, into.data() + done, into.size() - done, at + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  return static_cast<std::int64_t>(done);
}

bool SharedFile::write(std::int64_t at, std::span<const std::byte> from) const {
  std::size_t done = 0;
  while (done < from.size()) {
    const ssize_t n = pwrite(descriptor_, from.data() + done, from.size() - done, at + static_cast<off_t>(done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  return true;
}

bool SharedFile::finish() {
  const bool good = fsync(descriptor_) == 0;
  return close(std::exchange(descriptor_, -1)) == 0 && good;
}

}  // namespace tenken
