#include "card_operation.hpp"

#include <algorithm>

namespace mpi_collectives {

namespace {

class ByMpi final : public Carrier {
 public:
  explicit ByMpi(MPI_Comm comm) : comm_(comm) {}
  void allreduce(const std::byte* given, std::byte* sums, std::int64_t n, bool doubles) override {
    MPI_Allreduce(given, sums, static_cast<int>(n), doubles ? MPI_DOUBLE : MPI_INT32_T, MPI_SUM, comm_);
  }
  void alltoall(const std::byte* given, std::byte* got, std::int64_t words) override {
    const auto n = static_cast<int>(words);
    MPI_Alltoall(given, n, MPI_INT32_T, got, n, MPI_INT32_T, comm_);
  }

 private:
  MPI_Comm comm_;
};

// The memory of an operation, and the copies of a staged call.
class CardOperation : public Operation {
 public:
  CardOperation(const OnCard& on, std::int64_t size, std::int64_t memory)
      : on_(on), size_(size), bytes_(static_cast<std::size_t>(memory)) {
    given_ = on.card.on_card(bytes_);
    got_ = on.card.on_card(bytes_);
    if (!on.staged) return;
    host_given_ = on.card.pinned(bytes_);
    host_got_ = on.card.pinned(bytes_);
  }

  void run() override {
    if (!on_.staged) return call(given_.get(), got_.get());
    on_.card.copy_out(host_given_.get(), given_.get(), bytes_);
    on_.card.wait_out();
    call(host_given_.get(), host_got_.get());
    on_.card.copy_in(got_.get(), host_got_.get(), bytes_);
    on_.card.wait_in();
  }
  tenken::Work work() const override {
    const auto bytes = static_cast<std::int64_t>(bytes_);
    return {.bytes_read = bytes, .bytes_written = bytes, .messages = 1};
  }

 protected:
  virtual void call(const std::byte* given, std::byte* got) = 0;
  std::int64_t seen(const device::Wrong& wrong) const {
    if (wrong.bytes > 0 && on_.place.size == 0) on_.place = {size_, wrong.first};
    return wrong.bytes;
  }

  OnCard on_;
  std::int64_t size_;
  std::size_t bytes_;
  tenken::gpu::Memory given_, got_;            // on the card
  tenken::gpu::Memory host_given_, host_got_;  // of a staged call
};

class CardSum final : public CardOperation {
 public:
  CardSum(const OnCard& on, const device::Summands& numbers, std::int64_t size)
      : CardOperation(on, size, numbers.n * (numbers.doubles ? 8 : 4)), numbers_(numbers) {}
  void prepare(std::uint64_t sample) override {
    numbers_.sample = sample;
    on_.card.write(given_.get(), numbers_);
  }
  // A high bit of the number: no rounding hides it.
  void spoil() override {
    const std::int64_t number = numbers_.doubles ? 8 : 4;
    on_.card.flip(given_.get() + number * (numbers_.n / 2) + number - 2);
  }
  // A sum does not show whose number is wrong.
  std::int64_t wrong(std::span<std::int64_t>) const override { return seen(on_.card.wrong(got_.get(), numbers_)); }

 private:
  void call(const std::byte* given, std::byte* got) override {
    on_.carrier->allreduce(given, got, numbers_.n, numbers_.doubles);
  }
  device::Summands numbers_;
};

class CardPieces final : public CardOperation {
 public:
  CardPieces(const OnCard& on, const device::Pieces& pieces, std::int64_t size)
      : CardOperation(on, size, 4 * pieces.words * pieces.ranks), pieces_(pieces) {}
  void prepare(std::uint64_t sample) override {
    pieces_.sample = sample;
    on_.card.write(given_.get(), pieces_);
  }
  void spoil() override { on_.card.flip(given_.get() + 4 * (pieces_.words * pieces_.ranks / 2)); }
  std::int64_t wrong(std::span<std::int64_t> by_source) const override {
    const std::int64_t all = seen(on_.card.wrong(got_.get(), pieces_));
    for (int source = 0; all > 0 && source < pieces_.ranks; ++source)
      by_source[static_cast<std::size_t>(source)] += on_.card.wrong_of(got_.get(), pieces_, source).bytes;
    return all;
  }

 private:
  void call(const std::byte* given, std::byte* got) override { on_.carrier->alltoall(given, got, pieces_.words); }
  device::Pieces pieces_;
};

}  // namespace

std::unique_ptr<Carrier> carried_by_mpi(MPI_Comm comm) { return std::make_unique<ByMpi>(comm); }

std::unique_ptr<Operation> make_card_operation(Kind kind, MPI_Comm comm, std::int64_t bytes, const OnCard& on) {
  int rank = 0;
  int ranks = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  if (kind == Kind::alltoall) {
    const std::int64_t words = static_cast<std::int64_t>(piece_of_all(bytes, ranks));
    return std::make_unique<CardPieces>(on, device::Pieces{words, ranks, rank, 0}, bytes);
  }
  const bool doubles = bytes % 8 == 0;
  return std::make_unique<CardSum>(on, device::Summands{bytes / (doubles ? 8 : 4), doubles, ranks, rank, 0}, bytes);
}

}  // namespace mpi_collectives
