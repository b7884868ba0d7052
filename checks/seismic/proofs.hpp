// Is the answer right? Small problems of the check's variant, ranks and threads.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "waves.hpp"

namespace tenken::seismic {

// What the proofs are about.
struct Subject {
  MPI_Comm comm;
  Plan plan;
  Faults faults;
  bool everywhere = false;  // planted: layers damp inside, too
  Quality quality;
  Absorb absorb = Absorb::pml;
  bool surface = true;
};

// Greatest difference to the plain twin over the greatest value, of the worst field, after 8 steps of 24^3 cells with
// random velocities, a layer and a source of every kind. Each rank alone; the greatest of all.
double twin_error(const Subject& subject);

// The same to the variant `fused` on the same ranks with one thread, after 8 steps of 64 cells a side or more.
double variant_error(const Subject& subject);

// Velocities at one receiver along one direction, computed and exact.
struct Trace {
  int receiver, component;
  std::vector<double> computed, exact;
};
struct FullSpace {
  Problem problem;
  std::vector<Trace> traces;
  double error = 0;  // relative L2 of the worst receiver, over its three components
};
enum class SourceKind { both, explosion, force };
// A homogeneous full space with an explosion and a force, `points` cells for the shortest S wavelength; three receivers
// in different directions, `wavelengths` of them away; the box ends `margin` cells beyond them. On many ranks it is
// larger. A small margin leaves a layer and four cells: enough on the short ways of a launch's proof.
FullSpace full_space(const Subject& subject, double points, double wavelengths, SourceKind kind, int margin = 14);

}  // namespace tenken::seismic
