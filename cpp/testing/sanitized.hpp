// Whether this test runs under sanitizers, which are twenty times slower: problems are then smaller, and what differs
// by numbers alone is left to the other builds. Every way through the code stays.
#pragma once

namespace tenken::testing {

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace tenken::testing
