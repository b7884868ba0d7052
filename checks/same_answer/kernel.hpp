// Kernels whose answers are the same bits on every correct core: the order of operations is fixed, every operation is
// exactly rounded, and no library is called.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace same_answer {

inline constexpr std::array<std::string_view, 4> kernel_names{"fma", "gemm", "integer", "memory"};
inline constexpr std::size_t kernels = kernel_names.size();

inline constexpr int gemm_order = 96;
inline constexpr std::int64_t gemm_flop = 2LL * gemm_order * gemm_order * gemm_order;
inline constexpr int fma_steps = 20000;
inline constexpr int fma_chains = 8;
inline constexpr std::int64_t fma_flop = 2LL * fma_steps * fma_chains;
inline constexpr int march_patterns = 4;

std::uint64_t fma_answer(int steps = fma_steps);
std::uint64_t gemm_answer();
std::uint64_t integer_answer();
// March (MATS+ of memory testing): write a pattern upwards; upwards read and write its complement; downwards read that.
// What is read back goes into the checksum.
std::uint64_t memory_answer(std::span<std::uint64_t> words);

}  // namespace same_answer
