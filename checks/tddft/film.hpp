// A film of macro points in light, over ranks: each group of ranks moves the light of its own points, or of all of
// them, and the electrons of its points see it. In every step, between two of which a crystal's electrons take one:
//
//   film.post();  ... electrons go from now() to next() ...  film.receive(J);  film.advance();
#pragma once

#include <cstdint>
#include <vector>

#include "levels.hpp"
#include "maxwell.hpp"

namespace tenken::tddft {

enum class Exchange {
  neighbours,  // a at the edge of a group's points, which holds what the neighbour's current has made of it, point to
               // point, on its way while electrons move
  gather  // the currents of all macro points to every group after their step, each of which moves all light (ARTED)
};

class Film {
 public:
  // levels: kept by reference. stale (a planted fault): messages are taken a step late.
  Film(const LightGrid& grid, const Levels& levels, Exchange exchange, const Pulse& incident, bool stale);
  ~Film();
  Film(const Film&) = delete;
  Film& operator=(const Film&) = delete;

  // a now and one step later at a macro point of this group, counted over the whole film.
  double now(std::int64_t point) const { return light_.now(grid_.vacuum + point); }
  double next(std::int64_t point) const { return light_.next(grid_.vacuum + point); }

  void post();
  // J of this group's macro points at the end of the step.
  void receive(const std::vector<double>& currents);
  void advance();

  // What is seen now: light that enters at the first point (every group knows it), that leaves there, and that leaves
  // at the last point; the latter two are 0 in groups that do not move these points.
  double incident() const { return light_.incident(); }
  double reflected() const;
  double transmitted() const;

  // Messages and bytes that this rank sends in a step.
  std::int64_t messages() const;
  std::int64_t bytes() const;

  // Collective. Energy of the field plus the work that it did on the film, as the groups saw both, less what entered;
  // over what crossed the ends. To it is added how far a of now, as this group has it of others, is from theirs, over
  // the largest: a film whose groups never hear of each other is in balance, too.
  double imbalance() const;

 private:
  Range share(int group) const;  // points of the grid that a group moves with Exchange::neighbours
  std::vector<double> gathered(double (Light::*value)(std::int64_t) const) const;

  LightGrid grid_;
  const Levels& levels_;
  Exchange exchange_;
  bool stale_;
  Light light_;
  std::vector<double> currents_;  // [point - light_.own().first] of the next step
  std::vector<int> counts_, firsts_;
  double sent_[2]{}, received_[2]{};  // to and from the group before and the one behind
  std::vector<double> told_;          // the last message: of both neighbours, or all currents
  MPI_Request requests_[4];
  double work_ = 0;
};

}  // namespace tenken::tddft
