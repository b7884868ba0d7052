// Four ways to exchange messages that threads write and read: by the only thread, by one of many, in turns, by all.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/buffer.hpp"
#include "lane.hpp"
#include "share.hpp"

namespace mixed_mode {

// Numbers are those of the table `mode_times`.
enum class Mode { master_only = 0, funnelled = 1, serialized = 2, multiple = 3 };
constexpr int modes = 4;
const char* name_of(Mode mode);
int level_of(Mode mode);  // of MPI_THREAD_FUNNELED, _SERIALIZED, _MULTIPLE, that the mode needs

// Words that arrived wrong: their number in all exchanges, and the first.
struct WrongWords {
  std::int64_t shares = 0;  // with a wrong sum
  std::int64_t mode = 0, thread = 0, from_rank = 0;
  std::int64_t place = 0, of_thread = -1, late = 0;
};

class Modes {
 public:
  struct Options {
    Pattern pattern = Pattern::pingpong;
    std::size_t words = 0;            // of a message, of all threads together
    bool communicators_each = false;  // a communicator for each thread
    bool persistent = false;
    std::string fault = "none";  // of this rank
  };

  // Collective. `threads`: of the parallel regions here.
  Modes(MPI_Comm comm, int threads, const Options& options);
  ~Modes();
  Modes(const Modes&) = delete;
  Modes& operator=(const Modes&) = delete;

  // So many exchanges with the writing and reading of the shares. `sample` differs for each call.
  void run(Mode mode, std::int64_t sample, int iterations);
  // The parts alone: parallel regions without work, and writing and reading without messages.
  void regions(int count) const;
  void touch(std::int64_t sample, int iterations);

  // Of the last run: compares the words of the last iteration where a sum was wrong. Untimed.
  void verify(Mode mode, std::int64_t sample, int iterations);
  const WrongWords& wrong() const { return wrong_; }

  // Ticks at which each thread began its messages of the last run of mode `multiple`: iteration by iteration.
  const std::vector<std::int64_t>& entries() const { return entries_; }
  int threads() const { return threads_; }

 private:
  void write_share(int thread, std::int64_t sample, std::int64_t iteration);
  void read_share(int thread, std::int64_t sample, std::int64_t iteration);
  void master_only(std::int64_t sample, int iterations);
  void funnelled(std::int64_t sample, int iterations);
  void serialized(std::int64_t sample, int iterations);
  void multiple(std::int64_t sample, int iterations);
  Lane::Words share(tenken::Buffer<std::uint64_t>& of, int thread);

  struct alignas(128) OfThread {
    std::int64_t wrong = 0;
    std::uint64_t sums = 0;  // of all that was read, so that no read is left out
  };

  int threads_;
  Options options_;
  Partners partners_;
  std::array<tenken::Buffer<std::uint64_t>, directions> out_, in_;
  std::vector<MPI_Comm> comms_;  // the first is that of the whole rank
  std::unique_ptr<Lane> whole_;
  std::deque<Lane> lanes_;  // of each thread
  std::vector<OfThread> of_thread_;
  std::vector<std::int64_t> entries_;
  WrongWords wrong_;
};

}  // namespace mixed_mode
