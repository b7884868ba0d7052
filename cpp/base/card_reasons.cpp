#include "base/card_reasons.hpp"

#include <utility>

namespace tenken::gpu {

namespace {

constexpr std::pair<std::uint64_t, const char*> slowing[] = {
    {0x4, "power limit"},           {0x8, "hardware slowdown"},       {0x20, "heat"},
    {0x40, "heat (hardware)"},      {0x80, "power brake (hardware)"}, {0x10, "cards in step"},
    {0x100, "clock of the display"}};

}  // namespace

std::string reason_words(std::uint64_t reasons) {
  std::string words;
  for (const auto& [bit, name] : slowing) {
    if ((reasons & bit) != 0) words += (words.empty() ? "" : ", ") + std::string(name);
  }
  return words;
}

}  // namespace tenken::gpu
