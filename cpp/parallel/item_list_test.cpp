#include "parallel/item_list.hpp"

#include <doctest/doctest.h>
#include <omp.h>

#include <cstring>
#include <numeric>

using namespace tenken;

namespace {

// Items of `words` four-byte words, each word of a field unlike every other.
struct Fields {
  explicit Fields(std::size_t items, std::size_t words) : words(words), from(items * words), to(items * words, 0) {
    std::iota(from.begin(), from.end(), 1u);
  }
  std::size_t words;
  std::vector<std::uint32_t> from, to;
};

std::byte* bytes_of(std::vector<std::uint32_t>& v) { return reinterpret_cast<std::byte*>(v.data()); }

// Number of words in which message or field differ from what copying item by item gives.
std::int64_t wrong_words(const std::vector<std::int32_t>& items, std::size_t field_items, std::size_t words) {
  const ItemList list(items);
  Fields f(field_items, words);
  std::vector<std::uint32_t> message(items.size() * words, 0), expected_field(f.to);
  list.pack(4 * words, bytes_of(f.from), bytes_of(message));
  std::int64_t wrong = 0;
  for (std::size_t n = 0; n < items.size(); ++n) {
    for (std::size_t w = 0; w < words; ++w) {
      wrong += message[n * words + w] != f.from[static_cast<std::size_t>(items[n]) * words + w];
      message[n * words + w] = static_cast<std::uint32_t>(7 * n + w + 3);
      expected_field[static_cast<std::size_t>(items[n]) * words + w] = message[n * words + w];
    }
  }
  list.unpack(4 * words, bytes_of(message), bytes_of(f.to));
  for (std::size_t i = 0; i < f.to.size(); ++i) wrong += f.to[i] != expected_field[i];
  return wrong;
}

}  // namespace

TEST_CASE("large lists are copied as item by item, on any number of threads, in long runs, short ones and none") {
  constexpr std::int32_t many = 300000;  // with the smallest items more bytes than one thread takes by itself
  std::vector<std::int32_t> one_run(many), runs, apart, reversed(many);
  std::iota(one_run.begin(), one_run.end(), 11);
  for (std::int32_t i = 0; i < many; ++i) {
    runs.push_back(i + 5 * (i / 37));
    apart.push_back(2 * i + i % 2);
    reversed[static_cast<std::size_t>(i)] = many - i;
  }
  for (const int threads : {1, 2, 3, 7}) {
    omp_set_num_threads(threads);
    for (const std::size_t words : {1, 2, 3, 4}) {
      CAPTURE(threads);
      CAPTURE(words);
      for (const auto* items : {&one_run, &runs, &apart, &reversed}) CHECK(wrong_words(*items, 3 * many, words) == 0);
    }
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("an item named twice gets the last value, also in a large list") {
  std::vector<std::int32_t> items(300000);
  for (std::size_t n = 0; n < items.size(); ++n) items[n] = static_cast<std::int32_t>(n % 3);
  omp_set_num_threads(4);
  CHECK(wrong_words(items, 3, 2) == 0);
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("in a parallel region each caller copies all of its list by itself") {
  std::vector<std::int32_t> items(300000);
  std::iota(items.begin(), items.end(), 0);
  std::int64_t wrong = 0;
#pragma omp parallel num_threads(3) reduction(+ : wrong)
  wrong += wrong_words(items, items.size(), 1);
  CHECK(wrong == 0);
}

TEST_CASE("small and empty lists") {
  CHECK(wrong_words({}, 1, 1) == 0);
  CHECK(wrong_words({4, 2, 3, 0}, 5, 3) == 0);
  CHECK(ItemList({3, 4, 5}).one_run());
  CHECK_FALSE(ItemList({3, 5}).one_run());
}
