// Samples of all routes in turn: sources are written, halos are exchanged and compared.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "content.hpp"
#include "cubes.hpp"
#include "measure/check.hpp"
#include "measure/common_clock.hpp"
#include "rings.hpp"
#include "route.hpp"

namespace halo_paths {

struct Settings {
  std::int64_t n = 0;
  Face face = Face::xy;
  std::optional<Kind> second{};  // route of plane xz, exchanged at once with plane xy
  int samples = 0;               // of each way in a repetition
};

// One thing that is measured: a route of the first face, a route of the second face, or both at once.
struct Way {
  std::string name;
  Kind kind = Kind::pack;  // of the first face, else of the second
  Route* first = nullptr;
  Route* second = nullptr;
  std::vector<double> ns{};  // of each timed sample: from the first start of any rank to the last finish of any rank
};

// The wrong values that a rank found in its halos, and the first of them.
struct WrongHalo {
  std::int64_t values = 0;
  std::int64_t way = 0, face = 0, side = 0, place = 0, neighbour = 0, late = 0;
};

class Samples {
 public:
  // Collective. Throws UserError (lacking) where --second asks for a route that the ranks do not have.
  Samples(tenken::Check& check, Cubes& cubes, const Settings& settings);

  void pass(bool timed);  // collective: `samples` of each way, the ways in turn

  const std::vector<Way>& ways() const { return ways_; }
  const WrongHalo& wrong() const { return wrong_; }
  int lacking() const { return lacking_; }  // routes that these ranks and this MPI do not have

 private:
  struct Exchanged {
    Planes planes{};
    Ring ring{};
  };

  void sample(std::size_t way, bool timed);
  void write(const Exchanged& of);
  void compare(const Exchanged& of, std::size_t way);
  Route* store(std::unique_ptr<Route> route);

  tenken::Check& check_;
  Cubes& cubes_;
  Settings settings_;
  tenken::CommonClock clock_;
  Exchanged first_, second_;
  std::vector<std::unique_ptr<Route>> routes_;
  std::vector<Way> ways_;
  WrongHalo wrong_;
  std::int64_t sample_ = 0;
  int lacking_ = 0;
};

}  // namespace halo_paths
