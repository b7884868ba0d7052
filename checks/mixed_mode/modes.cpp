#include "modes.hpp"

#include <omp.h>

#include <array>
#include <atomic>
#include <thread>

#include "measure/clock.hpp"

namespace mixed_mode {

using namespace tenken;

namespace {

constexpr std::array<const char*, modes> names = {"master_only", "funnelled", "serialized", "multiple"};
constexpr double late_ns = 5000;  // of the fault late_thread

}  // namespace

const char* name_of(Mode mode) { return names[static_cast<std::size_t>(mode)]; }

int level_of(Mode mode) {
  constexpr std::array<int, modes> levels = {MPI_THREAD_FUNNELED, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                             MPI_THREAD_MULTIPLE};
  return levels[static_cast<std::size_t>(mode)];
}

Modes::Modes(MPI_Comm comm, int threads, const Options& options) : threads_(threads), options_(options) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  partners_ = partners_of(options.pattern, rank, ranks);
  for (int d = 0; d < partners_.used(); ++d) {
    const auto at = static_cast<std::size_t>(d);
    out_[at] = Buffer<std::uint64_t>(options.words, Pages::any, "messages");
    in_[at] = Buffer<std::uint64_t>(options.words, Pages::any, "messages");
  }
  comms_.resize(1 + static_cast<std::size_t>(options.communicators_each ? threads : 1));
  for (MPI_Comm& one : comms_) MPI_Comm_dup(comm, &one);
  const auto words = [](Buffer<std::uint64_t>& of) { return Lane::Words(of.data(), of.size()); };
  const std::array<Lane::Words, directions> all_out = {words(out_[0]), words(out_[1])};
  const std::array<Lane::Words, directions> all_in = {words(in_[0]), words(in_[1])};
  whole_ = std::make_unique<Lane>(comms_[0], 0, partners_, all_out, all_in, options.persistent);
  for (int t = 0; t < threads; ++t) {
    const MPI_Comm own = comms_[1 + static_cast<std::size_t>(options.communicators_each ? t : 0)];
    lanes_.emplace_back(own, t, partners_, std::array<Lane::Words, directions>{share(out_[0], t), share(out_[1], t)},
                        std::array<Lane::Words, directions>{share(in_[0], t), share(in_[1], t)}, options.persistent);
  }
  of_thread_.resize(static_cast<std::size_t>(threads));
  // Each thread touches its shares first, so that their pages are near it.
#pragma omp parallel num_threads(threads_)
  {
    const int t = omp_get_thread_num();
    write_share(t, 0, 0);
    for (int d = 0; d < partners_.used(); ++d) {
      const Lane::Words mine = share(in_[static_cast<std::size_t>(d)], t);
      std::fill(mine.begin(), mine.end(), 0u);
    }
  }
}

Modes::~Modes() {
  lanes_.clear();
  whole_.reset();
  for (MPI_Comm& one : comms_) MPI_Comm_free(&one);
}

Lane::Words Modes::share(Buffer<std::uint64_t>& of, int thread) {
  const Range range = range_of(of.size(), thread, threads_);
  return {of.data() + range.begin, range.size};
}

void Modes::write_share(int thread, std::int64_t sample, std::int64_t iteration) {
  if (options_.fault == "lost_thread" && thread == threads_ - 1 && iteration > 0) return;
  for (int d = 0; d < partners_.used(); ++d) {
    Origin of{sample, iteration, partners_.rank, thread, d};
    if (options_.fault == "wrong_share" && thread == threads_ - 1) of.thread = 0;
    write(share(out_[static_cast<std::size_t>(d)], thread), of);
  }
}

void Modes::read_share(int thread, std::int64_t sample, std::int64_t iteration) {
  OfThread& mine = of_thread_[static_cast<std::size_t>(thread)];
  for (int d = 0; d < partners_.used(); ++d) {
    const Lane::Words words = share(in_[static_cast<std::size_t>(d)], thread);
    const std::uint64_t total = sum(words);
    mine.sums += total;
    const Origin of{sample, iteration, partners_.from(d), thread, d};
    mine.wrong += total != expected_sum(words.size(), of) ? 1 : 0;
  }
}

void Modes::run(Mode mode, std::int64_t sample, int iterations) {
  if (partners_.idle()) return;
  switch (mode) {
    case Mode::master_only:
      return master_only(sample, iterations);
    case Mode::funnelled:
      return funnelled(sample, iterations);
    case Mode::serialized:
      return serialized(sample, iterations);
    default:
      return multiple(sample, iterations);
  }
}

void Modes::master_only(std::int64_t sample, int iterations) {
  for (int i = 0; i < iterations; ++i) {
#pragma omp parallel num_threads(threads_)
    write_share(omp_get_thread_num(), sample, i);
    whole_->exchange();
#pragma omp parallel num_threads(threads_)
    read_share(omp_get_thread_num(), sample, i);
  }
}

void Modes::funnelled(std::int64_t sample, int iterations) {
#pragma omp parallel num_threads(threads_)
  {
    const int t = omp_get_thread_num();
    for (int i = 0; i < iterations; ++i) {
      write_share(t, sample, i);
#pragma omp barrier
#pragma omp master
      whole_->exchange();
#pragma omp barrier
      read_share(t, sample, i);
    }
  }
}

// Threads take turns in the order of their numbers on every rank: a lock alone would let two ranks wait for different
// threads of each other.
void Modes::serialized(std::int64_t sample, int iterations) {
  std::atomic<std::int64_t> turn{0};
#pragma omp parallel num_threads(threads_)
  {
    const int t = omp_get_thread_num();
    for (int i = 0; i < iterations; ++i) {
      write_share(t, sample, i);
      const std::int64_t mine = static_cast<std::int64_t>(i) * threads_ + t;
      for (int looks = 0; turn.load(std::memory_order_acquire) != mine; ++looks) {
        if (looks > 2000) std::this_thread::yield();
      }
      lanes_[static_cast<std::size_t>(t)].exchange();
      turn.store(mine + 1, std::memory_order_release);
      read_share(t, sample, i);
    }
  }
}

void Modes::multiple(std::int64_t sample, int iterations) {
  entries_.assign(static_cast<std::size_t>(iterations) * static_cast<std::size_t>(threads_), 0);
  const double ns_per_tick = Clock().ns_per_tick();
#pragma omp parallel num_threads(threads_)
  {
    const int t = omp_get_thread_num();
    for (int i = 0; i < iterations; ++i) {
      write_share(t, sample, i);
      if (options_.fault == "late_thread" && t == threads_ - 1) {
        const std::int64_t begin = ticks_now();
        while (static_cast<double>(ticks_now() - begin) * ns_per_tick < late_ns) continue;
      }
      entries_[static_cast<std::size_t>(i) * static_cast<std::size_t>(threads_) + static_cast<std::size_t>(t)] =
          ticks_now();
      lanes_[static_cast<std::size_t>(t)].exchange();
      read_share(t, sample, i);
    }
  }
}

void Modes::regions(int count) const {
  for (int i = 0; i < count; ++i) {
#pragma omp parallel num_threads(threads_)
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
}

void Modes::touch(std::int64_t sample, int iterations) {
#pragma omp parallel num_threads(threads_)
  {
    const int t = omp_get_thread_num();
    std::uint64_t sums = 0;
    for (int i = 0; i < iterations; ++i) {
      write_share(t, sample, i);
      for (int d = 0; d < partners_.used(); ++d) sums += sum(share(in_[static_cast<std::size_t>(d)], t));
    }
    of_thread_[static_cast<std::size_t>(t)].sums += sums;
  }
}

void Modes::verify(Mode mode, std::int64_t sample, int iterations) {
  for (int t = 0; t < threads_; ++t) {
    OfThread& of = of_thread_[static_cast<std::size_t>(t)];
    if (of.wrong == 0) continue;
    const bool first = wrong_.shares == 0;
    wrong_.shares += of.wrong;
    of.wrong = 0;
    if (!first) continue;
    wrong_.mode = static_cast<std::int64_t>(mode);
    wrong_.thread = t;
    for (int d = 0; d < partners_.used(); ++d) {
      wrong_.from_rank = partners_.from(d);
      const WrongShare share_of = compare(share(in_[static_cast<std::size_t>(d)], t),
                                          {sample, iterations - 1, partners_.from(d), t, d}, threads_);
      if (share_of.words == 0) continue;
      wrong_.place = share_of.first;
      wrong_.of_thread = share_of.thread;
      wrong_.late = share_of.late;
      break;
    }
  }
}

}  // namespace mixed_mode
