// Errors that a user meets: one sentence that names the input, what was expected and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace tenken {

// Exit codes of a check program (docs/architecture.md).
enum class ExitCode { ok = 0, wrong = 1, refused = 3, impossible = 4, lacking = 5 };

class UserError : public std::runtime_error {
 public:
  UserError(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Wrong arguments: nothing was started.
[[noreturn]] inline void refuse(const std::string& sentence) { throw UserError(ExitCode::refused, sentence); }

// Right arguments, but this machine cannot: no memory, no space.
[[noreturn]] inline void impossible(const std::string& sentence) { throw UserError(ExitCode::impossible, sentence); }

// Right arguments, but this case needs what is not here: a device, a thread level of MPI. Nobody's fault: not judged.
[[noreturn]] inline void lacking(const std::string& sentence) { throw UserError(ExitCode::lacking, sentence); }

}  // namespace tenken
