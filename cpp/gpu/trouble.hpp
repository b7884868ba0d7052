// Errors of the runtime as sentences: the card, the call, the reason and the next step.
#pragma once

#include <string>

#include "base/error.hpp"
#include "gpu/facts.hpp"

namespace tenken::gpu {

enum class Trouble {
  none,
  no_card,        // the driver reports none
  old_driver,     // older than the CUDA of the build
  not_available,  // another process has the card alone, or the card is in prohibited mode
  no_code,        // the program has no code for this card
  no_memory,
  memory_error,  // of the card: an error that its ECC cannot correct
  lost,          // the card fell off the bus or needs a reset
  other,
};

// `call`: "cudaMalloc of 80 GiB for an array of stream"; `message`: of the runtime.
inline std::string sentence(Trouble trouble, const Facts& card, const std::string& call, const std::string& message) {
  const std::string who = "GPU " + std::to_string(card.index) + (card.name.empty() ? "" : " (" + card.name + ")");
  const std::string failed = who + ": " + call + " failed: " + message;
  switch (trouble) {
    case Trouble::no_card:
      return "no device: the CUDA driver reports none (" + call + ": " + message +
             "); CUDA_VISIBLE_DEVICES may hide cards";
    case Trouble::old_driver:
      if (card.driver == 0) return "no device: no CUDA driver is installed (libcuda.so.1 was looked for)";
      return "the CUDA driver supports CUDA " + version_text(card.driver) + ", and this program was built with CUDA " +
             version_text(card.runtime) + "; update the driver or build with an older CUDA";
    case Trouble::not_available:
      return who + " is not available: another process uses the card alone, or its compute mode forbids use (" + call +
             "); wait, or choose another card by CUDA_VISIBLE_DEVICES";
    case Trouble::no_code:
      return who + " has compute capability " + std::to_string(card.major) + "." + std::to_string(card.minor) +
             ", and this program has no code for it; build again with CUDAARCHS=" + std::to_string(card.major) +
             std::to_string(card.minor);
    case Trouble::no_memory:
      return failed + "; " + std::to_string(card.free_bytes >> 20) + " MiB of " +
             std::to_string(card.memory_bytes >> 20) + " MiB are free; take a smaller size or free the card";
    case Trouble::memory_error:
      return failed + "; the memory of the card has an error that cannot be corrected: take the card out of service";
    case Trouble::lost:
      return failed + "; the card does not answer: reset the card or the node";
    case Trouble::none:
    case Trouble::other:
      break;
  }
  return failed;
}

// Ends the program with that sentence: `lacking` where the machine has no card for it, else `impossible`.
[[noreturn]] inline void raise(Trouble trouble, const Facts& card, const std::string& call,
                               const std::string& message) {
  const bool lacks = trouble == Trouble::no_card || trouble == Trouble::old_driver ||
                     trouble == Trouble::not_available || trouble == Trouble::no_code;
  const std::string text = sentence(trouble, card, call, message);
  if (lacks) lacking(text);
  impossible(text);
}

}  // namespace tenken::gpu
