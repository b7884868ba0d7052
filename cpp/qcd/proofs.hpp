// Proofs that links and operator are right, cheap enough for every launch and for any number of ranks.
// Each value is global and the same on all ranks; what it must not exceed is in check.toml.
#pragma once

#include "qcd/boundary.hpp"
#include "qcd/gauge/extended.hpp"
#include "qcd/gauge/start.hpp"
#include "qcd/wilson.hpp"

namespace tenken::qcd {

// Everything that the proofs are about.
struct Subject {
  MPI_Comm comm;
  const Geometry& geometry;
  std::uint64_t seed;         // of test vectors
  const ExtendedLinks& made;  // the links as they were made or read
  const Links& links;         // as the operator uses them
  Wilson& h;
  Faults faults;
  Signs boundary = periodic;  // that `links` have and `made` has not
};

// Largest |U U^dagger - 1| or |det U - 1| of all links, which must be without signs of a boundary.
double links_error(MPI_Comm comm, const Links& links);

// |<y, H x> - <H y, x>| / (|x| |y|) for random x and y. H is Hermitian exactly if gamma_5 D gamma_5 = D^dagger.
double hermiticity_error(const Subject& subject);

// |H[U^g] (g x) - g H[U] x| / |x| for a random rotation g of colour at every site, U^g_mu(x) = g(x) U_mu(x) g(x +
// mu)^dagger.
double covariance_error(const Subject& subject);

// With unit links a plane wave exp(i p.x) w is mapped onto gamma_5 [(1 - 2 kappa sum_mu cos p_mu) + 2 i kappa sum_mu
// gamma_mu sin p_mu] exp(i p.x) w; p_mu = 2 pi n_mu / N_mu with n = (1, 2, 3, 5), so that swapped axes are seen, but
// one more where sin p_mu would be 0; n + 1/2 where the boundary is antiperiodic. Largest error of a component.
double free_field_error(const Subject& subject);

// Largest error of a component of H x against `reference` at all corners of the block, at sites of every face and
// inside, with the links as made and x anew from the seed at global coordinates: finds wrong halos and wrong links. The
// reference turns the sign of x, not of links, where it crosses the boundary.
double reference_error(const Subject& subject);

// Local sites at which proofs compare with a plain twin: all corners of the block, sites of every face and inside.
std::vector<int> proof_sites(const Geometry& geometry, std::uint64_t seed);

// Standard deviation of the mean plaquette of a hot start. For U uniform in SU(3), <|tr U|^2> = 1 and <(tr U)^2> = 0,
// so that (Re tr U / 3) has variance 1/18; two plaquettes are uncorrelated, because each has a link that the other has
// not.
double hot_plaquette_deviation(const Index4& lattice);

// |x|^2 of each time slice.
std::vector<double> slices(MPI_Comm comm, const Geometry& geometry, const Field& x);

}  // namespace tenken::qcd
