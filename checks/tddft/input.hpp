// What the parameters ask for; refuses what cannot be computed in one sentence.
#pragma once

#include "electrons.hpp"
#include "film.hpp"
#include "measure/check.hpp"
#include "numerics/dft/system.hpp"
#include "wishes.hpp"

namespace tenken::tddft {

// Of the file that --input names, else the example that --cell names with its grid and k-points changed.
dft::Input crystal(const Wishes& wishes);
Settings settings(const Check& check, const Wishes& wishes, const dft::Input& crystal);
struct FilmSettings {
  LightGrid grid;  // grid.film = 0: one cell in the field of the pulse
  Exchange exchange = Exchange::neighbours;
  bool vacuum = false;  // the electrons' current does not change the light
};
// Refuses pulses, a spacing or other parameters that a film cannot have.
FilmSettings film_settings(const Wishes& wishes, const Settings& settings);
// Refuses a step of time that is too long for the kinetic energy and a potential of at most `highest` Hartree.
void require_stable(const Settings& settings, const dft::Grid& grid, double highest);
// Of all that changes the answer of a run.
std::uint64_t fingerprint(const dft::Input& crystal, const Settings& settings);
// Gives the settings a layout, with the vectors and planes that go with it.
void take_layout(Settings& settings, Layout layout, const dft::Grid& grid);
// Bytes of the core's first-level cache, or what is usual where the system does not tell.
std::int64_t l1_bytes();

}  // namespace tenken::tddft
