// Any text is read or refused.
#include <cstdint>
#include <string_view>

#include "base/error.hpp"
#include "base/toml.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    tenken::Toml({reinterpret_cast<const char*>(data), size}, "fuzz").require_all_read();
  } catch (const tenken::UserError&) {
  }
  return 0;
}
