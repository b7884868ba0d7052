// The answers of a block of a card, computed by the host in plain loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace same_answer {

// Of each thread of a block. `words`: of the memory march of a thread.
std::vector<std::uint64_t> right_lanes(std::size_t kernel, std::int64_t words);

// The factors of the matrix product, 0 and 1, as those of processors.
std::vector<double> factor_of_gemm(int which);

// One number of the answers of a block.
std::uint64_t answer_of(const std::uint64_t* lanes);

}  // namespace same_answer
