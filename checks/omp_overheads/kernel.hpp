// Every construct of OpenMP that is timed, `n` times in a row with a body that the caller gives: body(slot, instance).
// The body runs where a program's work would. It knows neither MPI nor the clock.
#pragma once

#include <omp.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace omp_overheads {

constexpr int iterations = 128;  // of a loop with a schedule, for each thread

// What a construct shall have done, counted while it ran.
enum class Share {
  team,     // the body runs once on every thread, or once for each of as many iterations
  one,      // once on any thread
  passage,  // once on every thread, one after another, and `shared` grows each time
  sum,      // as team, and `shared` grows by each
  loop,     // `iterations` times as often as there are threads, on any
};

class Team {
 public:
  explicit Team(int threads) : threads_(threads), slots_(static_cast<std::size_t>(threads)) { omp_init_lock(&lock); }
  ~Team() { omp_destroy_lock(&lock); }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int threads() const { return threads_; }
  std::int64_t& count(int slot) { return slots_[static_cast<std::size_t>(slot)].count; }

  void reset();
  // Counters that are not what `n` constructs of this kind leave behind after reset(); 0 = the construct did its work.
  int wrong_counts(Share share, int n) const;

  std::int64_t shared = 0;
  omp_lock_t lock;

 private:
  struct alignas(256) Slot {
    std::int64_t count = 0;
  };
  int threads_;
  std::vector<Slot> slots_;
};

// Times that a thread came out of a barrier before another had reached it; 0.
int barrier_violations(int threads, int n);

// The body of a timed construct: it leaves a trace in memory and costs about a nanosecond.
struct Count {
  Team& team;
  void operator()(int slot, int) const {
    ++team.count(slot);
    asm volatile("" ::: "memory");  // compilers must not turn n constructs into one
  }
};

template <class Body>
struct Construct {
  std::string_view name;
  Share share;
  bool traced;  // the body runs on the thread of its slot, so that each thread's own time can be told
  void (*run)(Team& team, int n, const Body& body);

  // How many constructs one run stands for: those that threads pass one by one count each passage.
  int calls(int n, int threads) const { return share == Share::passage ? n * threads : n; }
};

// In a region of the whole team, n times on every thread.
template <class Each>
void on_team(const Team& team, int n, const Each& each) {
#pragma omp parallel num_threads(team.threads())
  {
    const int me = omp_get_thread_num();
    for (int i = 0; i < n; ++i) each(me, i);
  }
}

#define TENKEN_LOOP(schedule_)                                                                              \
  [](Team& team, int n, const Body& body) {                                                                 \
    const int all = team.threads() * iterations;                                                            \
    on_team(team, n, [&](int me, int i) { _Pragma(schedule_) for (int k = 0; k < all; ++k) body(me, i); }); \
  }

template <class Body>
const std::array<Construct<Body>, 18>& constructs() {
  using C = Construct<Body>;
  static const std::array<C, 18> all{{
      {"reference", Share::team, false, [](Team& team, int n, const Body& body) { on_team(team, n, body); }},
      {"parallel", Share::team, true,
       [](Team& team, int n, const Body& body) {
         for (int i = 0; i < n; ++i) {
#pragma omp parallel num_threads(team.threads())
           body(omp_get_thread_num(), i);
         }
       }},
      {"parallel_for", Share::team, true,
       [](Team& team, int n, const Body& body) {
         const int threads = team.threads();
         for (int i = 0; i < n; ++i) {
#pragma omp parallel for schedule(static) num_threads(threads)
           for (int k = 0; k < threads; ++k) body(k, i);
         }
       }},
      {"for_loop", Share::team, true,
       [](Team& team, int n, const Body& body) {
         const int threads = team.threads();
         on_team(team, n, [&](int, int i) {
#pragma omp for schedule(static)
           for (int k = 0; k < threads; ++k) body(k, i);
         });
       }},
      {"for_nowait", Share::team, false,
       [](Team& team, int n, const Body& body) {
         const int threads = team.threads();
         on_team(team, n, [&](int, int i) {
#pragma omp for schedule(static) nowait
           for (int k = 0; k < threads; ++k) body(k, i);
         });
       }},
      {"barrier", Share::team, true,
       [](Team& team, int n, const Body& body) {
         on_team(team, n, [&](int me, int i) {
           body(me, i);
#pragma omp barrier
         });
       }},
      {"single", Share::one, false,
       [](Team& team, int n, const Body& body) {
         on_team(team, n, [&](int me, int i) {
#pragma omp single
           body(me, i);
         });
       }},
      {"single_nowait", Share::one, false,
       [](Team& team, int n, const Body& body) {
         on_team(team, n, [&](int me, int i) {
#pragma omp single nowait
           body(me, i);
         });
       }},
      {"critical", Share::passage, true,
       [](Team& team, int n, const Body& body) {
         on_team(team, n, [&](int me, int i) {
#pragma omp critical(omp_overheads)
           {
             ++team.shared;
             body(me, i);
           }
         });
       }},
      {"lock", Share::passage, true,
       [](Team& team, int n, const Body& body) {
         on_team(team, n, [&](int me, int i) {
           omp_set_lock(&team.lock);
           ++team.shared;
           body(me, i);
           omp_unset_lock(&team.lock);
         });
       }},
      {"ordered", Share::passage, true,
       [](Team& team, int n, const Body& body) {
         const int threads = team.threads();
#pragma omp parallel for ordered schedule(static, 1) num_threads(threads)
         for (int k = 0; k < n * threads; ++k) {
#pragma omp ordered
           {
             team.shared = team.shared == k ? k + 1 : -1;  // one that comes out of order is never forgiven
             body(k % threads, k / threads);
           }
         }
       }},
      {"atomic", Share::passage, false,
       [](Team& team, int n, const Body& body) {
         on_team(team, n, [&](int me, int i) {
#pragma omp atomic
           ++team.shared;
           body(me, i);
         });
       }},
      {"reduction", Share::sum, true,
       [](Team& team, int n, const Body& body) {
         std::int64_t sum = 0;
         for (int i = 0; i < n; ++i) {
#pragma omp parallel reduction(+ : sum) num_threads(team.threads())
           {
             body(omp_get_thread_num(), i);
             ++sum;
           }
         }
         team.shared += sum;
       }},
      {"static_loop", Share::loop, false, TENKEN_LOOP("omp for schedule(static)")},
      {"static_nowait", Share::loop, false, TENKEN_LOOP("omp for schedule(static) nowait")},
      {"dynamic_loop", Share::loop, false, TENKEN_LOOP("omp for schedule(dynamic)")},
      {"dynamic_nowait", Share::loop, false, TENKEN_LOOP("omp for schedule(dynamic) nowait")},
      {"guided_loop", Share::loop, false, TENKEN_LOOP("omp for schedule(guided)")},
  }};
  return all;
}
#undef TENKEN_LOOP

}  // namespace omp_overheads
