// The runtime of CUDA. hipify maps every name here; no other header has names of a vendor.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "gpu/form.hpp"
#include "gpu/trouble.hpp"

namespace tenken::gpu {
inline namespace on_card {

inline Trouble trouble_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return Trouble::none;
    case cudaErrorNoDevice:
    case cudaErrorStubLibrary:
      return Trouble::no_card;
    case cudaErrorInsufficientDriver:
    case cudaErrorSystemDriverMismatch:
      return Trouble::old_driver;
    case cudaErrorDevicesUnavailable:
      return Trouble::not_available;
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorUnsupportedPtxVersion:
      return Trouble::no_code;
    case cudaErrorMemoryAllocation:
      return Trouble::no_memory;
    case cudaErrorECCUncorrectable:
      return Trouble::memory_error;
    case cudaErrorSystemNotReady:
    case cudaErrorNvlinkUncorrectable:
      return Trouble::lost;
    default:
      return Trouble::other;
  }
}

inline int attribute(cudaDeviceAttr which, int card) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, card) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return value;
}

// "GPU-" and the 16 bytes of a number that the driver gives to a card, or to a part of a partitioned card; as
// nvidia-smi -L prints it for a whole card.
inline std::string id_text(const cudaUUID_t& number) {
  std::string text = "GPU-";
  for (int place = 0; place < 16; ++place) {
    constexpr char digits[] = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(number.bytes[place]);
    if (place == 4 || place == 6 || place == 8 || place == 10) text += '-';
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

// Of card `index`, as far as the runtime reports; never an error, because sentences of errors use it. Uses no memory of
// the card.
inline Facts facts_of(int index) {
  Facts of;
  of.index = index;
  (void)cudaDriverGetVersion(&of.driver);
  (void)cudaRuntimeGetVersion(&of.runtime);
  if (cudaGetDeviceCount(&of.count) != cudaSuccess) of.count = 0;
  if (index >= of.count) {
    (void)cudaGetLastError();
    return of;
  }
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, of.index) == cudaSuccess) {
    of.name = properties.name;
    of.id = id_text(properties.uuid);
    of.major = properties.major;
    of.minor = properties.minor;
    of.multiprocessors = properties.multiProcessorCount;
    of.cache_bytes = properties.l2CacheSize;
    of.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  }
  char bus[32] = "";
  if (cudaDeviceGetPCIBusId(bus, sizeof bus, of.index) == cudaSuccess) of.bus = bus;
  const double khz = attribute(cudaDevAttrMemoryClockRate, of.index);
  of.memory_rate = 2 * khz * 1e3 * attribute(cudaDevAttrGlobalMemoryBusWidth, of.index) / 8;
  (void)cudaGetLastError();
  return of;
}

// Of the chosen card.
inline Facts facts() {
  int index = 0;
  std::size_t free_bytes = 0;
  std::size_t all_bytes = 0;
  (void)cudaGetDevice(&index);
  Facts of = facts_of(index);
  if (of.count > 0 && cudaMemGetInfo(&free_bytes, &all_bytes) == cudaSuccess)
    of.free_bytes = static_cast<std::int64_t>(free_bytes);
  (void)cudaGetLastError();
  return of;
}

inline void expect(cudaError_t error, const std::string& call) {
  if (error == cudaSuccess) return;
  const std::string message = std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
  (void)cudaGetLastError();
  raise(trouble_of(error), facts(), call, message);
}

inline int count() {
  int cards = 0;
  expect(cudaGetDeviceCount(&cards), "cudaGetDeviceCount");
  if (cards == 0) raise(Trouble::no_card, Facts{}, "cudaGetDeviceCount", "0 devices");
  return cards;
}

inline void use(int card) {
  expect(cudaSetDevice(card), "cudaSetDevice(" + std::to_string(card) + ")");
  expect(cudaFree(nullptr), "start of the card");
}

inline void use_again(int card) { expect(cudaSetDevice(card), "cudaSetDevice(" + std::to_string(card) + ")"); }

inline int peer_rank(int from, int to) {
  int can = 0;
  int rank = 0;
  if (cudaDeviceCanAccessPeer(&can, from, to) != cudaSuccess || can == 0 ||
      cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, from, to) != cudaSuccess) {
    (void)cudaGetLastError();
    return -1;
  }
  return rank;
}

inline void allow_peer(int to) {
  const cudaError_t error = cudaDeviceEnablePeerAccess(to, 0);
  if (error == cudaErrorPeerAccessAlreadyEnabled) {
    (void)cudaGetLastError();
    return;
  }
  expect(error, "cudaDeviceEnablePeerAccess(" + std::to_string(to) + ")");
}

inline void* allocate(std::size_t bytes, const std::string& purpose) {
  void* memory = nullptr;
  if (bytes > 0) expect(cudaMalloc(&memory, bytes), "cudaMalloc of " + std::to_string(bytes) + " bytes for " + purpose);
  return memory;
}

inline void release(void* memory) noexcept { (void)cudaFree(memory); }

inline void* allocate_pinned(std::size_t bytes, const std::string& purpose) {
  void* memory = nullptr;
  if (bytes > 0)
    expect(cudaMallocHost(&memory, bytes), "cudaMallocHost of " + std::to_string(bytes) + " bytes for " + purpose);
  return memory;
}

inline void release_pinned(void* memory) noexcept { (void)cudaFreeHost(memory); }

inline void wait() { expect(cudaStreamSynchronize(nullptr), "a kernel or copy"); }

inline void copy_in(cudaStream_t queue, void* to, const void* from, std::size_t bytes, Way way) {
  const cudaMemcpyKind kind = way == Way::to_card   ? cudaMemcpyHostToDevice
                              : way == Way::to_host ? cudaMemcpyDeviceToHost
                                                    : cudaMemcpyDeviceToDevice;
  expect(cudaMemcpyAsync(to, from, bytes, kind, queue), "cudaMemcpyAsync of " + std::to_string(bytes) + " bytes");
}

inline void copy_later(void* to, const void* from, std::size_t bytes, Way way) {
  copy_in(nullptr, to, from, bytes, way);
}

inline void copy(void* to, const void* from, std::size_t bytes, Way way) {
  copy_later(to, from, bytes, way);
  wait();
}

inline void clear(void* to, std::size_t bytes) { expect(cudaMemsetAsync(to, 0, bytes, nullptr), "cudaMemsetAsync"); }

// Errors of the launch itself: no code for the card, too many threads.
inline void expect_launched(const char* kernel) { expect(cudaGetLastError(), std::string("launch of ") + kernel); }

class Queue {
 public:
  Queue() { expect(cudaStreamCreateWithFlags(&queue_, cudaStreamNonBlocking), "cudaStreamCreate"); }
  ~Queue() { (void)cudaStreamDestroy(queue_); }
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  void copy(void* to, const void* from, std::size_t bytes, Way way) { copy_in(queue_, to, from, bytes, way); }
  void between(void* to, int to_card, const void* from, int from_card, std::size_t bytes) {
    expect(cudaMemcpyPeerAsync(to, to_card, from, from_card, bytes, queue_),
           "cudaMemcpyPeerAsync of " + std::to_string(bytes) + " bytes from GPU " + std::to_string(from_card) +
               " to GPU " + std::to_string(to_card));
  }
  void wait() { expect(cudaStreamSynchronize(queue_), "a copy"); }

 private:
  cudaStream_t queue_ = nullptr;
};

// For kernels: cycles of the multiprocessor of this thread, and a clock of the whole card. 0 outside of kernels.
TENKEN_DEVICE inline std::int64_t clock_cycles() {
#if TENKEN_GPU_DEVICE_PASS
  return clock64();
#else
  return 0;
#endif
}
TENKEN_DEVICE inline std::int64_t clock_ns() {
#if TENKEN_GPU_DEVICE_PASS
  long long ns = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
  return ns;
#else
  return 0;
#endif
}

// The number of the multiprocessor that the thread runs on.
TENKEN_DEVICE inline int multiprocessor_of(int /*block*/) {
#if TENKEN_GPU_DEVICE_PASS
  int number = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
#else
  return 0;
#endif
}

class Event {
 public:
  Event() { expect(cudaEventCreate(&event_), "cudaEventCreate"); }
  ~Event() { (void)cudaEventDestroy(event_); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  void record() { expect(cudaEventRecord(event_, nullptr), "cudaEventRecord"); }
  void wait_for() const { expect(cudaEventSynchronize(event_), "a kernel or copy"); }
  double ms_since(const Event& earlier) const {
    float ms = 0;
    expect(cudaEventElapsedTime(&ms, earlier.event_, event_), "cudaEventElapsedTime");
    return static_cast<double>(ms);
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace on_card
}  // namespace tenken::gpu
