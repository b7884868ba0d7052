// From the lengths of quanta to detours, their sizes and their rhythm. Pure: no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace noise {

struct Detour {
  double at;      // us since the first quantum
  double length;  // us more than the quantum takes
};

// Quanta of one batch on one core: when each began and how long it took (us). A quantum that is at least `least` us
// longer than their median met a detour; these are added to `found`. Returns the median.
double find_detours(std::span<const double> at, std::span<const double> took, double least, std::vector<Detour>& found);

// Sizes of detours: bin b holds lengths from 2^b us up to 2^(b+1) us, the first one shorter ones too, the last one
// longer ones.
constexpr int bins = 18;
int bin_of(double length);

struct Period {
  double hertz;
  double length;  // us, median
  int beats;      // found
  double share;   // of the beats that there were in the time
};

// Rhythms among the detours of one core, strongest first: lengths within a factor of two that come at equal distances.
// At least ten beats, and a third of all that there should have been during `time`, the us that the core was at work.
std::vector<Period> find_periods(std::span<const Detour> detours, double time);

}  // namespace noise
