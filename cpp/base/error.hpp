// Errors that a user meets: one sentence that names the input, what was expected and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace tenken {

// Exit codes of a check program (docs/architecture.md).
enum class ExitCode { ok = 0, refused = 3, impossible = 4, unavailable = 5 };

class UserError : public std::runtime_error {
 public:
  UserError(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Wrong arguments: nothing was started.
[[noreturn]] inline void refuse(const std::string& sentence) { throw UserError(ExitCode::refused, sentence); }

// Right arguments, but this machine cannot: no memory, no space, an MPI without what is needed.
[[noreturn]] inline void impossible(const std::string& sentence) { throw UserError(ExitCode::impossible, sentence); }

// What this variant runs on is not here: it is not built, or there is no device. Nobody's mistake, and never an error.
[[noreturn]] inline void unavailable(const std::string& sentence) { throw UserError(ExitCode::unavailable, sentence); }

}  // namespace tenken
