// Sums over memory in several streams at once. No MPI, no clock, no threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace memory {

constexpr std::size_t line_words = 8;  // of 8 bytes
constexpr int most_streams = 8;

// Sum modulo 2^64 of all words. They are cut into `streams` parts of whole lines (1, 2, 4 or 8; a shorter last part),
// of which a line each is read in turn. std::logic_error for other numbers.
std::uint64_t read(std::span<const std::uint64_t> words, int streams);

// Whether `read` knows this number of streams.
bool can_read(int streams);

// Writes numbers that differ from word to word and from seed to seed; returns their sum.
std::uint64_t fill(std::span<std::uint64_t> words, std::uint64_t seed);

}  // namespace memory
