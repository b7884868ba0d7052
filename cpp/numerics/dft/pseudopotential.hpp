// Norm-conserving pseudopotentials of analytic form: S. Goedecker, M. Teter, J. Hutter, Phys. Rev. B 54, 1703 (1996);
// C. Hartwigsen, S. Goedecker, J. Hutter, Phys. Rev. B 58, 3641 (1998), whose table the numbers are from (set for the
// local density approximation; fitted with the Pade form of exchange and correlation).
#pragma once

#include <array>
#include <string>
#include <vector>

namespace tenken::dft {

struct Pseudopotential {
  std::string element;
  int charge;                   // of the ion: electrons that an atom brings
  double local_radius;          // r_loc, Bohr
  std::array<double, 2> local;  // C1, C2, Hartree
  double s_radius;              // r_0; 0: no projector of l = 0
  double s11, s22;              // h_11, h_22 of l = 0; s22 0: one projector
  double p_radius;              // r_1; 0: none of l = 1
  double p11;
};

// Throws UserError naming the known elements.
const Pseudopotential& pseudopotential(const std::string& element);

// Local potential of one ion times the volume of the cell, at wave number g > 0, without the structure factor.
double local_of_g(const Pseudopotential& ion, double g);
// Its limit at g = 0 without Coulomb's 4 pi Z / g^2.
double local_at_zero(const Pseudopotential& ion);
// Local potential at distance r > 0.
double local_of_r(const Pseudopotential& ion, double r);

// Radial part of projector i = 1, 2 of angular momentum l, normalised: integral of p^2 r^2 dr is 1.
double radial_projector(int l, int i, double radius, double r);

// One channel: an eigenvector of the coefficients h of one l. For l = 1 it stands for m = x, y, z.
struct Channel {
  int l;
  double radius;                  // of its Gaussian
  std::array<double, 2> mixture;  // of the radial projectors 1 and 2
  double strength;                // Hartree

  double at(double r) const;  // radial part
};
std::vector<Channel> channels(const Pseudopotential& ion);

// Distance beyond which each |radial part| stays below cut times its maximum, Bohr; 0 where there are no projectors.
double projector_radius(const Pseudopotential& ion, double cut);

// Narrowest Gaussian, Bohr: it says how fine a grid must be.
double narrowest(const Pseudopotential& ion);

}  // namespace tenken::dft
