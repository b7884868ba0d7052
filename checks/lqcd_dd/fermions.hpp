// The clover term of a launch, proved.
#pragma once

#include <optional>

#include "measure/check.hpp"
#include "qcd/clover.hpp"
#include "qcd/launch/field.hpp"

namespace tenken::lqcd_dd {

struct Fermions {
  std::optional<qcd::CloverField> term;     // empty where csw is 0
  std::optional<qcd::CloverField> inverse;  // T^-1
};

// Gives the operator of `field` its clover term (--csw), proved; `around` are its links with their halo. Throws
// UserError where a site has no safe inverse. The result must live as long as the operator is used.
void add_clover_term(Check& check, qcd::PreparedField& field, const qcd::ExtendedLinks& around, Fermions& fermions);

}  // namespace tenken::lqcd_dd
