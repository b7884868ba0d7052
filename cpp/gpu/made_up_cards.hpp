// The program of a check with its variant `cuda`, with made-up cards on the host: for tests where no card is.
#pragma once

#include <cstdlib>
#include <span>

#include "gpu/runtime.hpp"
#include "measure/check.hpp"

namespace tenken::gpu {

inline constexpr VariantSpec only_cuda[] = {{"cuda", "", false}};  // with or without a compiler for cards

// As run_check. The variable FAKE_CARDS is the number of cards, 4 without it.
inline int run_with_made_up_cards(int argc, char** argv, CheckTable table, void (*body)(Check&),
                                  std::span<const VariantSpec> variants = only_cuda) {
  const char* cards = std::getenv("FAKE_CARDS");
  stand_in().card.count = cards == nullptr ? 4 : std::atoi(cards);
  table.variants = variants;
  return run_check(argc, argv, table, body);
}

}  // namespace tenken::gpu
