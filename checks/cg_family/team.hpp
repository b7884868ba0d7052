// Passes over all threads' parts: each in a parallel region of its own, or all of a solve's in one region, where every
// thread goes through the same code.
#pragma once

#include <omp.h>

namespace tenken::cg_family {

enum class Regions { many, one };

class Team {
 public:
  Team(int threads, Regions regions) : threads_(threads), one_(regions == Regions::one) {}

  // Everything below is called inside of body().
  template <class Body>
  void solve(const Body& body) const {
    if (!one_) return body();
#pragma omp parallel num_threads(threads_)
    body();
  }

  bool is_first() const { return !one_ || omp_get_thread_num() == 0; }

  // body(thread) of each, then all wait.
  template <class Body>
  void all(const Body& body) const {
    if (one_) {
      body(omp_get_thread_num());
#pragma omp barrier
    } else {
#pragma omp parallel num_threads(threads_)
      body(omp_get_thread_num());
    }
  }

  // body(thread, colour) from colour `from` to `to`, which is left out, each after the one before.
  template <class Body>
  void colours(int from, int to, const Body& body) const {
    if (from == to) return;
    if (one_) {
      in_turn(from, to, body);
    } else {
#pragma omp parallel num_threads(threads_)
      in_turn(from, to, body);
    }
  }

  // body() of the first thread, and all wait for it.
  template <class Body>
  void first(const Body& body) const {
    if (is_first()) body();
    if (!one_) return;
#pragma omp barrier
  }
  // The same while the others go on.
  template <class Body>
  void aside(const Body& body) const {
    if (is_first()) body();
  }

 private:
  template <class Body>
  static void in_turn(int from, int to, const Body& body) {
    const int step = from < to ? 1 : -1;
    for (int colour = from; colour != to; colour += step) {
      body(omp_get_thread_num(), colour);
#pragma omp barrier
    }
  }

  int threads_;
  bool one_;
};

}  // namespace tenken::cg_family
