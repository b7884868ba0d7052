// Norm-conserving pseudopotentials of analytic form: S. Goedecker, M. Teter, J. Hutter, Phys. Rev. B 54, 1703 (1996);
// C. Hartwigsen, S. Goedecker, J. Hutter, Phys. Rev. B 58, 3641 (1998), whose table the numbers are from (set for the
// local density approximation; fitted with the Pade form of exchange and correlation).
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tenken::dft {

constexpr int most_projectors = 3;  // of one l
constexpr int most_l = 2;

// The non-local part of one angular momentum: V = sum over i, j and m of |p_i Y_m> h[i][j] <p_j Y_m|.
struct Projector {
  double radius = 0;                                                     // of the Gaussians, Bohr; 0: none
  std::array<std::array<double, most_projectors>, most_projectors> h{};  // symmetric, Hartree
};

struct Pseudopotential {
  std::string element;
  int charge = 0;                            // of the ion: electrons that an atom brings
  double local_radius = 0;                   // r_loc, Bohr
  std::array<double, 4> local{};             // C1 to C4, Hartree
  std::array<Projector, most_l + 1> of_l{};  // [l]
};

// Throws UserError naming the known elements.
const Pseudopotential& pseudopotential(const std::string& element);
// From now on the pseudopotential of its element, for all of the program. Not while threads compute.
void set_pseudopotential(const Pseudopotential& ion);

// Local potential of one ion times the volume of the cell, at wave number g > 0, without the structure factor.
double local_of_g(const Pseudopotential& ion, double g);
// Its limit at g = 0 without Coulomb's 4 pi Z / g^2.
double local_at_zero(const Pseudopotential& ion);
// Local potential at distance r > 0.
double local_of_r(const Pseudopotential& ion, double r);

// Radial part of projector i = 1, 2, 3 of angular momentum l, normalised: integral of p^2 r^2 dr is 1.
double radial_projector(int l, int i, double radius, double r);

// integral of radial_projector j_l(g r) r^2 dr over g^l, j_l the spherical Bessel function.
double projector_of_g(int l, int i, double radius, double g);

// One channel: an eigenvector of the coefficients h of one l. It stands for all 2 l + 1 of m.
struct Channel {
  int l;
  double radius;                                // of its Gaussian
  std::array<double, most_projectors> mixture;  // of the radial projectors 1 to 3
  double strength;                              // Hartree

  double at(double r) const;    // radial part
  double of_g(double g) const;  // its transform over g^l, as projector_of_g()
};
std::vector<Channel> channels(const Pseudopotential& ion);

// Distance beyond which each |radial part| stays below cut times its maximum, Bohr; 0 where there are no projectors.
double projector_radius(const Pseudopotential& ion, double cut);

// Narrowest Gaussian, Bohr: it says how fine a grid must be.
double narrowest(const Pseudopotential& ion);

}  // namespace tenken::dft
