// A Device out of a launcher: its template `launch(n, body)` becomes the virtual function of each kernel.
#pragma once

#include "device/device.hpp"

namespace tenken::hpcg::device {

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

template <class Launcher>
struct RunOn {
  template <class... Bodies>
  using Kernels = RunsEach<Launcher, Device, Bodies...>;
};

}  // namespace tenken::hpcg::device
