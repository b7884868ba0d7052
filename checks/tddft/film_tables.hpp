// What a film has seen, as tables of the record.
#pragma once

#include <vector>

#include "course.hpp"
#include "film.hpp"
#include "measure/check.hpp"

namespace tenken::tddft {

// A/c of light at the ends of every step, the start included. Reflected in the first group, transmitted in the last.
struct LightCourse {
  std::vector<double> incident, reflected, transmitted;
  void note(const Film& film);
};

// Collective. Tables light (of the ends), film_field and film_current (of every macro point) over time, and reflectance
// (parts of the energy that are reflected and let through, by photon energy where the pulse has any).
void write_film(Check& check, const Levels& levels, const std::vector<const Course*>& points, LightCourse light,
                const LightGrid& grid);

}  // namespace tenken::tddft
