// Devices that run the kernels of a check: bodies, called with 0 … n - 1 in any order. C++17.
//
//   template <template <class...> class List>
//   using WithKernels = List<Hop, Axpy>;                       // every body of the check
//   class Device : public WithKernels<gpu::RunsAll> { … };     // virtual run(n, body) of each
//   class Card final : public WithKernels<gpu::RunOn<Launcher, Device>::Kernels> { … };  // Launcher::launch(n, body)
#pragma once

#include <cstdint>

namespace tenken::gpu {

template <class Body>
class Runs {
 public:
  virtual void run(std::int64_t n, const Body& body) = 0;
};

template <class... Bodies>
class RunsAll : public Runs<Bodies>... {
 public:
  using Runs<Bodies>::run...;
};

template <class Launcher, class Base, class... Bodies>
class RunsEach;

template <class Launcher, class Base>
class RunsEach<Launcher, Base> : public Base {
 public:
  using Base::run;
};

template <class Launcher, class Base, class First, class... Rest>
class RunsEach<Launcher, Base, First, Rest...> : public RunsEach<Launcher, Base, Rest...> {
 public:
  using RunsEach<Launcher, Base, Rest...>::run;
  void run(std::int64_t n, const First& body) override { Launcher::launch(n, body); }
};

template <class Launcher, class Base>
struct RunOn {
  template <class... Bodies>
  using Kernels = RunsEach<Launcher, Base, Bodies...>;
};

}  // namespace tenken::gpu
