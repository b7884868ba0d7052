// What a launch begins with, whatever it times: a gauge field made or read, proved and written, and the plain operator
// on it, proved. Of the parameters that are read here a check may leave out configuration, save, boundary and solver.
#pragma once

#include <optional>
#include <vector>

#include "measure/check.hpp"
#include "qcd/gauge/extended.hpp"
#include "qcd/gauge/nersc_header.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/proofs.hpp"

namespace tenken::qcd {

// As the table of the check has them.
struct FieldProofs {
  ValiditySpec links, plaquette, hermiticity, covariance, free_field, reference;
};

class PreparedField {
 public:
  // `bytes_a_site`: of memory that the check needs besides, so that a lattice that does not fit is refused at once.
  // `block`: where the program chooses the grid of ranks and the lattice has such blocks, ranks have whole blocks.
  // Throws UserError for what cannot be. Collective.
  PreparedField(Check& check, double bytes_a_site, const Index4& block = {1, 1, 1, 1});
  PreparedField(const PreparedField&) = delete;
  PreparedField& operator=(const PreparedField&) = delete;

  // Timed as `setup`. What comes next needs it. Throws UserError for a file that is damaged or cannot be written.
  void make(Check& check, Leaf setup, const FieldProofs& proofs);

  const Geometry& geometry() const { return geometry_; }
  const Links& links() const { return links_; }  // with the signs of the boundary
  Wilson& h() { return *h_; }
  const Configuration& configuration() const { return configuration_; }

 private:
  std::optional<NerscHeader> header_;
  Geometry geometry_;
  Signs boundary_;
  Faults faults_;
  Configuration configuration_;
  Links links_;
  std::optional<ExtendedLinks> made_;  // kept apart from what the operator uses, so that a change of it shows
  std::optional<Wilson> h_;
};

}  // namespace tenken::qcd
