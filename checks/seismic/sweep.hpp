// Several stages of a time step in one pass over rows of columns. A stage needs the one before in columns up to two
// away, so it follows two rows behind, and in tiles of columns two further to the left: nothing is read that a later
// stage has overwritten (skewed tiles; M. Wolf, M. Lam, A data locality optimizing algorithm, PLDI 1991).
#pragma once

#include <omp.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <memory>

namespace tenken::seismic {

constexpr int reach = 2;  // of a stage, in columns

// Columns lower <= x < upper, lower <= y < upper of a stage.
struct Box {
  int i0, i1, j0, j1;
};

// Tiles that cover nx columns in all of so many stages.
inline int tiles_of(int nx, int tile, int stages) { return (nx + reach * (stages - 1) + tile - 1) / tile; }

// work(stage, j, i0, i1) for every row of every stage, in an order that the stages allow; box(stage): its columns. Only
// tiles first <= t < last, to be called for all of them in turn. Tiles go to the threads in turn; each follows the row
// that the tile before has finished.
template <class BoxOf, class Work>
void sweep(int stages, int tile, int first, int last, int ny, int threads, const BoxOf& box, const Work& work) {
  const int rows = ny + reach * (stages - 1);
  const auto done = std::make_unique<std::atomic<int>[]>(static_cast<std::size_t>(last - first));
#pragma omp parallel num_threads(threads)
  {
    for (int t = first + omp_get_thread_num(); t < last; t += omp_get_num_threads()) {
      for (int row = 0; row < rows; ++row) {
        for (int spins = 0;
             t > first && done[static_cast<std::size_t>(t - 1 - first)].load(std::memory_order_acquire) <= row;
             ++spins) {
          if (spins > 1000) sched_yield();
        }
        for (int stage = 0; stage < stages; ++stage) {
          const Box all = box(stage);
          const int j = row - reach * stage;
          const int i0 = std::max(t * tile - reach * stage, all.i0),
                    i1 = std::min((t + 1) * tile - reach * stage, all.i1);
          if (j >= all.j0 && j < all.j1 && i0 < i1) work(stage, j, i0, i1);
        }
        done[static_cast<std::size_t>(t - first)].store(row + 1, std::memory_order_release);
      }
    }
  }
}

}  // namespace tenken::seismic
