// What is asked for: the parameters of the command line, and where `--input` names a file, those of its table [run] for
// all that the command line does not state.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/parameters.hpp"
#include "base/toml.hpp"

namespace tenken::tddft {

class Wishes {
 public:
  // Throws UserError where the file cannot be read.
  explicit Wishes(const Parameters& parameters);

  double real(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  std::string text(std::string_view name) const;  // of a choice
  bool flag(std::string_view name) const;

  const Parameters& parameters() const { return parameters_; }
  const std::optional<Toml>& file() const { return file_; }

 private:
  double number(std::string_view name, double otherwise) const;

  const Parameters& parameters_;
  std::optional<Toml> file_;
};

}  // namespace tenken::tddft
