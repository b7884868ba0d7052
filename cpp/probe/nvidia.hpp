// What nvidia-smi reports of the cards of this node.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace tenken {

// A card, by the names of nvidia-smi's queries. Fields that the card or the driver does not have are absent.
class NvidiaCard {
 public:
  void set(const std::string& field, const std::string& value);
  std::optional<std::string> text(const std::string& field) const;
  std::optional<double> number(const std::string& field) const;
  std::optional<bool> yes(const std::string& field) const;  // Yes or Enabled, No or Disabled; a number: other than 0

  void write_state(Json& json) const;  // "state"; null where nothing of it is known

 private:
  std::map<std::string, std::string> fields_;
};

using NvidiaCards = std::map<std::string, NvidiaCard>;  // by PCI address in lower case, as /sys writes it

// Of queries that follow each other: a line "?field,field,…", the address first, then a line a card, as nvidia-smi
// prints it with csv,noheader,nounits. Pure.
NvidiaCards parse_nvidia(std::string_view text);

// Runs nvidia-smi; empty where there is none. A sick card can hang it: each query has 10 seconds, and none follows the
// first that fails.
NvidiaCards ask_nvidia();

}  // namespace tenken
