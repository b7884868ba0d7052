// The five variants from one source. Included by variants.cpp, which is what is timed, and by counted.cpp, where loops
// are handed out dynamically, so that the runtime is called for each of them and calls can be counted.
// ICCG_NAMESPACE, ICCG_SCHEDULE and ICCG_SUM (the type of sums) differ.

#include <omp.h>

#include <cmath>

#include "numerics/dots.hpp"
#include "numerics/vectors.hpp"
#include "state.hpp"

namespace iccg::ICCG_NAMESPACE {

using tenken::Range;

// Sums that a team has together: r.z, p.q and r.r. A reduction inside a function that every thread calls needs
// variables that all of them see by themselves: so one solve runs at a time.
inline ICCG_SUM sum_rz{}, sum_pq{}, sum_rr{};

// No templates: clang 14 does not give each thread its own copy of a variable of a namespace there.
using Part = double (*)(const void* body, int thread);

inline double rz_of_all(int threads, Part part, const void* body) {
#pragma omp for schedule(ICCG_SCHEDULE) reduction(+ : sum_rz)
  for (int thread = 0; thread < threads; ++thread) sum_rz += part(body, thread);
  return sum_rz;
}
inline double pq_of_all(int threads, Part part, const void* body) {
#pragma omp for schedule(ICCG_SCHEDULE) reduction(+ : sum_pq)
  for (int thread = 0; thread < threads; ++thread) sum_pq += part(body, thread);
  return sum_pq;
}
inline double rr_of_all(int threads, Part part, const void* body) {
#pragma omp for schedule(ICCG_SCHEDULE) reduction(+ : sum_rr)
  for (int thread = 0; thread < threads; ++thread) sum_rr += part(body, thread);
  return sum_rr;
}

template <int which, class Body>
double shared_sum(int threads, const Body& body) {
  static_assert(which >= 0 && which < 3);
  constexpr auto of_all = which == 0 ? rz_of_all : which == 1 ? pq_of_all : rr_of_all;
  return of_all(
      threads, [](const void* it, int thread) { return (*static_cast<const Body*>(it))(thread); }, &body);
}

// Loops over all threads' parts, each by one thread, and what keeps these in step.
template <Sync sync>
class Team {
 public:
  static constexpr bool one_region = sync >= Sync::mv_parallel;

  explicit Team(State& state)
      : state_(state), threads_(state.shares.threads()), me_(one_region ? omp_get_thread_num() : 0) {}

  bool first() const { return me_ == 0; }

  // body(thread) for each of them.
  template <class Body>
  void rows(const Body& body) const {
    if constexpr (!one_region) {
#pragma omp parallel for schedule(ICCG_SCHEDULE) num_threads(threads_)
      for (int thread = 0; thread < threads_; ++thread) body(thread);
    } else if constexpr (sync == Sync::mv_parallel) {
#pragma omp for schedule(ICCG_SCHEDULE)
      for (int thread = 0; thread < threads_; ++thread) body(thread);
    } else {
      body(me_);
#pragma omp barrier
    }
  }

  // body(thread, colour) from colour `from` to `to`, which is left out, each after the one before.
  template <class Body>
  void colours_in_turn(int from, int to, const Body& body) const {
    const int step = from < to ? 1 : -1;
    if constexpr (one_region) {
      for (int colour = from; colour != to; colour += step) one_colour(colour, body);
    } else {
#pragma omp parallel num_threads(threads_)
      for (int colour = from; colour != to; colour += step) one_colour(colour, body);
    }
  }

  // The same where colours do not depend on each other.
  template <class Body>
  void all_colours(int colours, const Body& body) const {
    if constexpr (sync == Sync::baseline) {
      colours_in_turn(0, colours, body);
    } else if constexpr (sync == Sync::nowait) {
#pragma omp parallel num_threads(threads_)
      each_colour(colours, body);
    } else {
      each_colour(colours, body);
#pragma omp barrier
    }
  }

  // Sum of body(thread). `which` of three sums that are used in turn: who is first clears one, by clear(), where
  // barriers lie between this and its other uses.
  template <int which, class Body>
  double sum(const Body& body) const {
    if constexpr (!one_region) {
      ICCG_SUM sum{};
#pragma omp parallel for schedule(ICCG_SCHEDULE) num_threads(threads_) reduction(+ : sum)
      for (int thread = 0; thread < threads_; ++thread) sum += body(thread);
      return sum;
    } else if constexpr (sync < Sync::rm_reduction) {
      return shared_sum<which>(threads_, body);
    } else {
      state_.part(which, me_) = body(me_);
#pragma omp barrier
      double sum = 0;
      for (int thread = 0; thread < threads_; ++thread) sum += state_.part(which, thread);
      return sum;
    }
  }
  template <int which>
  void clear() const {
    if (first()) (which == 0 ? sum_rz : which == 1 ? sum_pq : sum_rr) = {};
  }

 private:
  template <class Body>
  void one_colour(int colour, const Body& body) const {
    if constexpr (sync < Sync::rm_ompdo) {
#pragma omp for schedule(ICCG_SCHEDULE)
      for (int thread = 0; thread < threads_; ++thread) body(thread, colour);
    } else {
      body(me_, colour);
#pragma omp barrier
    }
  }
  template <class Body>
  void each_colour(int colours, const Body& body) const {
    for (int colour = 0; colour < colours; ++colour) {
      if constexpr (sync < Sync::rm_ompdo) {
#pragma omp for schedule(ICCG_SCHEDULE) nowait
        for (int thread = 0; thread < threads_; ++thread) body(thread, colour);
      } else {
        body(me_, colour);
      }
    }
  }

  State& state_;
  const int threads_;
  const int me_;
};

// At most n iterations, by the one thread that opens regions or by every thread of the one region.
template <Sync sync>
void iterate(State& s, int n, double limit, Watch* watch) {
  const Team<sync> team(s);
  const int colours = s.a.colours();
  Watch* const mine = team.first() ? watch : nullptr;
  double rho_before = s.rho;
  End end = End::none;
  int done = 0;
  while (done < n && end == End::none) {
    const Watched iteration(mine, Phase::iteration);
    team.template clear<1>();
    {
      const Watched phase(mine, Phase::forward);
      team.colours_in_turn(0, colours, [&](int thread, int colour) {
        forward(s.shares.own(thread, colour), s.a, s.r.data(), s.z.data());
      });
    }
    {
      const Watched phase(mine, Phase::backward);
      if (colours > 1) {
        team.colours_in_turn(colours - 2, -1,
                             [&](int thread, int colour) { s.backward(s.shares.own(thread, colour)); });
      }
    }
    double rho;
    {
      const Watched phase(mine, Phase::dot);
      rho = team.template sum<0>([&](int thread) { return s.shares.dot(thread, s.r, s.z); });
    }
    const double beta = rho_before > 0 ? rho / rho_before : 0;
    {
      const Watched phase(mine, Phase::update);
      team.rows([&](int thread) {
        s.shares.over_rows(thread, [&](Range rows) { xpay(rows, s.z.data(), beta, s.p.data()); });
      });
    }
    team.template clear<0>();
    team.template clear<2>();
    {
      const Watched phase(mine, Phase::product);
      team.all_colours(colours, [&](int thread, int colour) {
        multiply(s.shares.own(thread, colour), s.a, s.p.data(), s.q.data());
      });
    }
    double pq;
    {
      const Watched phase(mine, Phase::dot);
      pq = team.template sum<1>([&](int thread) { return s.shares.dot(thread, s.p, s.q); });
    }
    const double alpha = rho / pq;
    {
      const Watched phase(mine, Phase::update);
      team.rows([&](int thread) {
        s.shares.over_rows(thread, [&](Range rows) {
          axpy(rows, alpha, s.p.data(), s.x.data());
          axpy(rows, -alpha, s.q.data(), s.r.data());
        });
      });
    }
    double rr;
    {
      const Watched phase(mine, Phase::dot);
      rr = team.template sum<2>([&](int thread) { return s.shares.dot(thread, s.r, s.r); });
    }
    rho_before = rho;
    ++done;
    if (!(pq > 0) || !(rho >= 0) || !std::isfinite(rr)) end = End::broken;
    if (std::sqrt(rr) <= limit) end = End::converged;
    if (team.first()) s.residuals.push_back(std::sqrt(rr) / s.of_b);
  }
  if (team.first()) {
    s.rho = rho_before;
    s.end = end;
    s.done = done;
  }
}

template <Sync sync>
int advance(State& s, int n, double limit, Watch* watch) {
  sum_rz = sum_pq = sum_rr = {};
  if constexpr (Team<sync>::one_region) {
#pragma omp parallel num_threads(s.shares.threads())
    iterate<sync>(s, n, limit, watch);
  } else {
    iterate<sync>(s, n, limit, watch);
  }
  return s.done;
}

inline int advance(Sync sync, State& s, int n, double limit, Watch* watch) {
  switch (sync) {
    case Sync::baseline:
      return advance<Sync::baseline>(s, n, limit, watch);
    case Sync::nowait:
      return advance<Sync::nowait>(s, n, limit, watch);
    case Sync::mv_parallel:
      return advance<Sync::mv_parallel>(s, n, limit, watch);
    case Sync::rm_ompdo:
      return advance<Sync::rm_ompdo>(s, n, limit, watch);
    case Sync::rm_reduction:
      return advance<Sync::rm_reduction>(s, n, limit, watch);
  }
  return 0;
}

}  // namespace iccg::ICCG_NAMESPACE
