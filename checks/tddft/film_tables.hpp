// Light and electrons of a film as tables of the record, and the proofs of its reflectance.
#pragma once

#include <vector>

#include "course.hpp"
#include "film.hpp"
#include "film_proofs.hpp"
#include "measure/check.hpp"

namespace tenken::tddft {

// Appends light of now at the ends: reflected in the first group, transmitted in the last.
void note(const Film& film, LightSeries& light);

// Collective. `light` and the courses of this group's macro points, of all groups on the first group; empty on others.
FilmSeries film_series(const Levels& levels, const std::vector<const Course*>& points, LightSeries light);

// Tables light (of the ends), film_field and film_current (of every macro point) over time.
void write_film(Check& check, const FilmSeries& series, const LightGrid& grid);

// Where the run has reflectance_steps(): table reflectance (parts of the energy that are reflected and let through, by
// photon energy within the band of the pulse), and its proofs; of vacuum the proof that nothing changed the light.
void prove_reflectance(Check& check, const FilmSeries& series, const LightGrid& grid, const Pulse& incident, int steps,
                       bool vacuum);

}  // namespace tenken::tddft
