#include "moved.hpp"

#include <numeric>

#include "payload.hpp"

namespace mpi_collectives {

namespace {

constexpr std::string_view purpose = "the messages of mpi_collectives";

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

Words words(std::size_t n) { return {n == 0 ? 1 : n, tenken::Pages::any, purpose}; }

std::int64_t bytes(std::size_t words) { return static_cast<std::int64_t>(words * bytes_of_word); }

}  // namespace

Bcast::Bcast(MPI_Comm comm, std::size_t n) : comm_(comm), rank_(rank_in(comm)), words_(words(n)) {}

void Bcast::prepare(std::uint64_t sample) {
  sample_ = sample;
  if (rank_ == 0) fill(words_.data(), words_.size(), key_of(sample, 0, 0));
}

void Bcast::run() { MPI_Bcast(words_.data(), static_cast<int>(words_.size()), MPI_INT32_T, 0, comm_); }

std::int64_t Bcast::wrong(std::span<std::int64_t> by_source) const {
  const std::int64_t found = wrong_bytes(words_.data(), words_.size(), key_of(sample_, 0, 0));
  by_source[0] += found;
  return found;
}

// One rank alone gives nothing to anybody.
tenken::Work Bcast::work() const {
  return {.bytes_written = rank_ == 0 && size_of(comm_) > 1 ? bytes(words_.size()) : 0, .messages = 1};
}

Allgatherv::Allgatherv(MPI_Comm comm, std::size_t n)
    : comm_(comm),
      rank_(rank_in(comm)),
      shares_(uneven_shares(static_cast<std::int64_t>(n), size_of(comm))),
      given_(words(static_cast<std::size_t>(shares_.counts[static_cast<std::size_t>(rank_)]))),
      got_(words(n)) {}

void Allgatherv::prepare(std::uint64_t sample) {
  sample_ = sample;
  fill(given_.data(), static_cast<std::size_t>(shares_.counts[static_cast<std::size_t>(rank_)]),
       key_of(sample, rank_, 0));
}

void Allgatherv::run() {
  MPI_Allgatherv(given_.data(), shares_.counts[static_cast<std::size_t>(rank_)], MPI_INT32_T, got_.data(),
                 shares_.counts.data(), shares_.starts.data(), MPI_INT32_T, comm_);
}

std::int64_t Allgatherv::wrong(std::span<std::int64_t> by_source) const {
  std::int64_t all = 0;
  for (std::size_t source = 0; source < shares_.counts.size(); ++source) {
    const std::int64_t found =
        wrong_bytes(got_.data() + shares_.starts[source], static_cast<std::size_t>(shares_.counts[source]),
                    key_of(sample_, static_cast<int>(source), 0));
    by_source[source] += found;
    all += found;
  }
  return all;
}

void Allgatherv::spoil() { given_[given_.size() / 2] ^= 0x100; }

tenken::Work Allgatherv::work() const {
  const auto own = static_cast<std::size_t>(shares_.counts[static_cast<std::size_t>(rank_)]);
  return {.bytes_read = bytes(got_.size()), .bytes_written = bytes(own), .messages = 1};
}

Pieces::Pieces(MPI_Comm comm, std::size_t words_of_piece, bool neighbours)
    : comm_(comm), rank_(rank_in(comm)), words_(words_of_piece) {
  const int ranks = size_of(comm);
  if (neighbours) {
    int grid[2] = {0, 0};
    MPI_Dims_create(ranks, 2, grid);
    others_ = neighbours_on_grid(rank_, grid[0], grid[1]);
    const auto degree = static_cast<int>(others_.size());
    MPI_Dist_graph_create_adjacent(comm, degree, others_.data(), MPI_UNWEIGHTED, degree, others_.data(), MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph_);
  } else {
    others_.resize(static_cast<std::size_t>(ranks));
    std::iota(others_.begin(), others_.end(), 0);
  }
  given_ = words(words_ * others_.size());
  got_ = words(words_ * others_.size());
}

Pieces::~Pieces() {
  if (graph_ != MPI_COMM_NULL) MPI_Comm_free(&graph_);
}

void Pieces::prepare(std::uint64_t sample) {
  sample_ = sample;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    fill(given_.data() + i * words_, words_, key_of(sample, rank_, others_[i]));
  }
}

void Pieces::run() {
  const auto n = static_cast<int>(words_);
  if (graph_ != MPI_COMM_NULL) {
    MPI_Neighbor_alltoall(given_.data(), n, MPI_INT32_T, got_.data(), n, MPI_INT32_T, graph_);
  } else {
    MPI_Alltoall(given_.data(), n, MPI_INT32_T, got_.data(), n, MPI_INT32_T, comm_);
  }
}

std::int64_t Pieces::wrong(std::span<std::int64_t> by_source) const {
  std::int64_t all = 0;
  for (std::size_t i = 0; i < others_.size(); ++i) {
    const std::int64_t found = wrong_bytes(got_.data() + i * words_, words_, key_of(sample_, others_[i], rank_));
    by_source[static_cast<std::size_t>(others_[i])] += found;
    all += found;
  }
  return all;
}

void Pieces::spoil() { given_[words_ / 2] ^= 0x100; }

tenken::Work Pieces::work() const {
  const std::int64_t moved = bytes(words_ * others_.size());
  return {.bytes_read = moved, .bytes_written = moved, .messages = 1};
}

}  // namespace mpi_collectives
