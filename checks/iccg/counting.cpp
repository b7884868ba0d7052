#include "counting.hpp"

#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

thread_local iccg::Calls counted;

// region() is a parallel region of this thread.
template <class Region>
void count_region(const Region& region) {
  const iccg::Calls before = counted;
  region();
  const iccg::Calls inside = counted - before;
  ++counted.regions;
  // One that is a shared loop has neither a second one nor a barrier.
  if (inside.loops == 1 && inside.ends == 0 && inside.explicit_barriers == 0) {
    ++counted.combined;
    --counted.loops;
  }
}

// The runtime's own function of that name.
template <class Function>
Function* next(const char* name) {
  auto* const function = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  if (function == nullptr) {
    std::fprintf(stderr, "the OpenMP runtime has no %s, although this program was compiled for one that has\n", name);
    std::abort();
  }
  return function;
}

}  // namespace

namespace iccg {

Calls calls() { return counted; }

}  // namespace iccg

extern "C" {

#if defined(__clang__)

struct Place {  // ident_t of the runtime
  std::int32_t reserved;
  std::int32_t flags;
};

// Of Place: a barrier that the program names.
constexpr std::int32_t named_barrier = 0x20;

void __kmpc_barrier(Place* place, std::int32_t thread) {
  static auto* const runtime = next<void(Place*, std::int32_t)>("__kmpc_barrier");
  ++((place->flags & named_barrier) != 0 ? counted.explicit_barriers : counted.ends);
  runtime(place, thread);
}

void __kmpc_dispatch_init_4(Place* place, std::int32_t thread, std::int32_t schedule, std::int32_t first,
                            std::int32_t last, std::int32_t stride, std::int32_t chunk) {
  static auto* const runtime =
      next<void(Place*, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t, std::int32_t)>(
          "__kmpc_dispatch_init_4");
  ++counted.loops;
  runtime(place, thread, schedule, first, last, stride, chunk);
}

std::int32_t __kmpc_reduce(Place* place, std::int32_t thread, std::int32_t n, std::size_t size, void* data,
                           void (*combine)(void*, void*), void* lock) {
  static auto* const runtime =
      next<std::int32_t(Place*, std::int32_t, std::int32_t, std::size_t, void*, void (*)(void*, void*), void*)>(
          "__kmpc_reduce");
  ++counted.reductions;
  return runtime(place, thread, n, size, data, combine, lock);
}

std::int32_t __kmpc_reduce_nowait(Place* place, std::int32_t thread, std::int32_t n, std::size_t size, void* data,
                                  void (*combine)(void*, void*), void* lock) {
  static auto* const runtime =
      next<std::int32_t(Place*, std::int32_t, std::int32_t, std::size_t, void*, void (*)(void*, void*), void*)>(
          "__kmpc_reduce_nowait");
  ++counted.reductions;
  return runtime(place, thread, n, size, data, combine, lock);
}

void __kmpc_fork_call(Place* place, std::int32_t arguments, void* body, ...) {
  using Fork = void(Place*, std::int32_t, void*, ...);
  static auto* const runtime = next<Fork>("__kmpc_fork_call");
  constexpr int most = 16;
  if (arguments > most) std::abort();  // more than any region of this program passes
  void* of[most] = {};
  va_list list;
  va_start(list, body);
  for (int n = 0; n < arguments; ++n) of[n] = va_arg(list, void*);
  va_end(list);
  count_region([&] {
    runtime(place, arguments, body, of[0], of[1], of[2], of[3], of[4], of[5], of[6], of[7], of[8], of[9], of[10],
            of[11], of[12], of[13], of[14], of[15]);
  });
}

#else

void GOMP_barrier() {
  static auto* const runtime = next<void()>("GOMP_barrier");
  ++counted.explicit_barriers;
  runtime();
}

void GOMP_parallel(void (*body)(void*), void* data, unsigned threads, unsigned flags) {
  static auto* const runtime = next<void(void (*)(void*), void*, unsigned, unsigned)>("GOMP_parallel");
  count_region([&] { runtime(body, data, threads, flags); });
}

void GOMP_parallel_loop_nonmonotonic_dynamic(void (*body)(void*), void* data, unsigned threads, long first, long last,
                                             long step, long chunk, unsigned flags) {
  static auto* const runtime = next<void(void (*)(void*), void*, unsigned, long, long, long, long, unsigned)>(
      "GOMP_parallel_loop_nonmonotonic_dynamic");
  ++counted.regions;
  ++counted.combined;
  runtime(body, data, threads, first, last, step, chunk, flags);
}

bool GOMP_loop_nonmonotonic_dynamic_start(long first, long last, long step, long chunk, long* from, long* to) {
  static auto* const runtime = next<bool(long, long, long, long, long*, long*)>("GOMP_loop_nonmonotonic_dynamic_start");
  ++counted.loops;
  return runtime(first, last, step, chunk, from, to);
}

void GOMP_loop_end() {
  static auto* const runtime = next<void()>("GOMP_loop_end");
  ++counted.ends;
  runtime();
}

void GOMP_atomic_start() {
  static auto* const runtime = next<void()>("GOMP_atomic_start");
  ++counted.reductions;
  runtime();
}

#endif
}
