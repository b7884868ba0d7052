// Why the clock of a card is below its highest, in words.
#pragma once

#include <cstdint>
#include <string>

namespace tenken::gpu {

// "power limit, heat" of the bits of NVML's clock event reasons; empty where no reason slows the card. Bits that only
// mean an idle card or a clock that was asked for are left out. Source: nvml.h, nvmlClocksEventReason…
std::string reason_words(std::uint64_t reasons);

}  // namespace tenken::gpu
