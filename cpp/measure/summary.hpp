// What a check program prints when it is run by hand: a look at rank 0, not a verdict.
#pragma once

#include <string>
#include <vector>

#include "measure/page.hpp"
#include "measure/record.hpp"

namespace tenken {

std::string summary(const Page& page, const std::vector<LiveSection>& sections);

}  // namespace tenken
