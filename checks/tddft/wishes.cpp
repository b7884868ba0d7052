#include "wishes.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace tenken::tddft {

namespace {

const ParameterSpec& spec_of(const Parameters& parameters, std::string_view name) {
  return *std::find_if(parameters.own().begin(), parameters.own().end(), [&](const auto& s) { return s.name == name; });
}

std::string key(std::string_view name) { return "run." + std::string(name); }

std::string number_text(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", x);
  return text;
}

}  // namespace

Wishes::Wishes(const Parameters& parameters) : parameters_(parameters) {
  const std::string& path = parameters.text("input");
  for (const char* form : {".cif", ".CIF", ".xyz", ".XYZ"}) {
    if (!path.ends_with(form)) continue;
    refuse("--input '" + path + "' is not TOML; write 'cell' (orthogonal, Bohr: 1.8897 per Angstrom), 'grid' and an " +
           "[[atom]] with 'element' and 'fraction' for each atom, as checks/tddft/examples/si.toml does");
  }
  if (!path.empty()) file_ = Toml::from_file(path);
}

double Wishes::number(std::string_view name, double otherwise) const {
  if (!file_) return otherwise;
  const std::optional<double> stated = file_->number(key(name));
  if (!stated || parameters_.given(name)) return otherwise;
  const ParameterSpec& spec = spec_of(parameters_, name);
  if (!(*stated >= spec.low && *stated <= spec.high)) {
    refuse("'" + file_->source() + "': " + key(name) + " = " + number_text(*stated) + " is outside " +
           number_text(spec.low) + " to " + number_text(spec.high));
  }
  if (spec.type == ParameterType::integer && *stated != std::floor(*stated)) {
    refuse("'" + file_->source() + "': " + key(name) + " = " + number_text(*stated) + " must be a whole number");
  }
  return *stated;
}

double Wishes::real(std::string_view name) const { return number(name, parameters_.real(name)); }

std::int64_t Wishes::integer(std::string_view name) const {
  return static_cast<std::int64_t>(number(name, static_cast<double>(parameters_.integer(name))));
}

std::string Wishes::text(std::string_view name) const {
  if (!file_) return parameters_.text(name);
  const std::optional<std::string> stated = file_->word(key(name));
  if (!stated || parameters_.given(name)) return parameters_.text(name);
  const std::string_view choices = spec_of(parameters_, name).choices;
  if (("|" + std::string(choices) + "|").find("|" + *stated + "|") == std::string::npos || stated->empty()) {
    std::string known(choices);
    std::replace(known.begin(), known.end(), '|', ' ');
    refuse("'" + file_->source() + "': " + key(name) + " = '" + *stated + "' is unknown; use one of: " + known);
  }
  return *stated;
}

bool Wishes::flag(std::string_view name) const {
  if (!file_) return parameters_.flag(name);
  const std::optional<bool> stated = file_->flag(key(name));
  return stated && !parameters_.given(name) ? *stated : parameters_.flag(name);
}

}  // namespace tenken::tddft
