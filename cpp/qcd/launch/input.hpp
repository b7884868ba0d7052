// The gauge field of a launch: made from the parameters, or read from --configuration; and --save.
#pragma once

#include <optional>

#include "measure/check.hpp"
#include "qcd/gauge/averages.hpp"
#include "qcd/gauge/nersc.hpp"
#include "qcd/gauge/start.hpp"

namespace tenken::qcd {

// The header of --configuration, if there is one. Throws UserError where it cannot be believed.
std::optional<NerscHeader> configuration_header(const Check& check);

// The links that the parameters ask for, or those of the file. Throws UserError where the file is damaged.
Links first_links(const Check& check, const Geometry& geometry, const Configuration& configuration,
                  const std::optional<NerscHeader>& header);

// Throws UserError where the header's averages are not those of the links, then writes --save.
void settle(const Check& check, const Configuration& configuration, const std::optional<NerscHeader>& header,
            const ExtendedLinks& made, const Links& links);

}  // namespace tenken::qcd
