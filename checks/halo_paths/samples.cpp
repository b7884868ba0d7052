#include "samples.hpp"

#include <string>

#include "base/error.hpp"
#include "this_check.hpp"

namespace halo_paths {

using namespace tenken;
namespace section = this_check::section;

namespace {

Parts parts_of(Kind kind) {
  switch (kind) {
    case Kind::pack:
      return {section::pack_copy, section::pack_start, section::pack_wait, section::pack_unpack};
    case Kind::datatype:
      return {.start = section::datatype_start, .wait = section::datatype_wait};
    case Kind::window:
      return {.start = section::window_start, .wait = section::window_wait, .unpack = section::window_copy};
    case Kind::put:
      return {.start = section::put_start, .wait = section::put_wait};
    case Kind::neighbour:
      return {.start = section::neighbour_start, .wait = section::neighbour_wait};
    default:
      return {section::staged_copy, section::staged_start, section::staged_wait, section::staged_unpack};
  }
}

}  // namespace

Samples::Samples(Check& check, Cubes& cubes, const Settings& settings)
    : check_(check), cubes_(cubes), settings_(settings), clock_(check.comm()) {
  const Rings rings = rings_of(check.rank(), check.ranks());
  first_ = {{settings.face}, settings.second ? rings.column : ring_of_all(check.rank(), check.ranks())};
  second_ = {{Face::xz, apart}, rings.row};
  Route* second = nullptr;
  if (settings.second) {
    second = store(make_route(*settings.second, cubes, second_.planes, second_.ring, {}));
    if (second == nullptr)
      tenken::lacking("--second " + std::string(name_of(*settings.second)) +
                      ": these ranks or this MPI have no such route; choose another");
    ways_.push_back(
        {.name = std::string("xz_") + name_of(*settings.second), .kind = *settings.second, .second = second});
  }
  for (int i = 0; i < kinds; ++i) {
    const auto kind = static_cast<Kind>(i);
    Route* first =
        store(make_route(kind, cubes, first_.planes, first_.ring, settings.second ? Parts{} : parts_of(kind)));
    lacking_ += first == nullptr ? 1 : 0;
    if (first == nullptr) continue;
    ways_.push_back({.name = name_of(kind), .kind = kind, .first = first});
    if (second == nullptr) continue;
    Route* at_once = store(make_route(kind, cubes, first_.planes, first_.ring, parts_of(kind)));
    ways_.push_back({.name = std::string("both_") + name_of(kind), .kind = kind, .first = at_once, .second = second});
  }
}

Route* Samples::store(std::unique_ptr<Route> route) {
  if (route == nullptr) return nullptr;
  return routes_.emplace_back(std::move(route)).get();
}

void Samples::pass(bool timed) {
  clock_.synchronise();
  for (int round = 0; round < settings_.samples; ++round) {
    for (std::size_t i = 0; i < ways_.size(); ++i) sample((i + static_cast<std::size_t>(round)) % ways_.size(), timed);
  }
}

void Samples::write(const Exchanged& of) {
  const bool stale = check_.fault("stale_plane") && check_.rank() == check_.ranks() - 1;
  for (const Side side : {Side::lower, Side::upper}) {
    if (stale && side == Side::upper) continue;  // the neighbour gets the plane of the sample before
    halo_paths::write(cubes_.mine(), source(of.planes.face, side, settings_.n, of.planes.skip),
                      {sample_, check_.rank(), of.planes.face, side});
  }
}

void Samples::sample(std::size_t index, bool timed) {
  Way& way = ways_[index];
  ++sample_;
  // A flag that is shown before the data: the neighbours read while the planes are old.
  const bool torn = check_.fault("torn_window") && way.first != nullptr && way.kind == Kind::window;
  const bool early = torn && check_.rank() == check_.ranks() - 1;
  if (!early) {
    const Section s{section::fill};
    if (way.first != nullptr) write(first_);
    if (way.second != nullptr) write(second_);
  }
  MPI_Barrier(check_.comm());
  const double begin = clock_.now();
  if (way.first != nullptr) way.first->start(sample_);
  if (way.second != nullptr) way.second->start(sample_);
  if (way.first != nullptr) way.first->finish(sample_);
  if (way.second != nullptr) way.second->finish(sample_);
  if (torn) MPI_Barrier(check_.comm());  // all have read before the data are written
  if (early) {
    write(first_);
    if (way.second != nullptr) write(second_);
  }
  const double end = clock_.now();
  const double ns = clock_.whole(begin, end);  // every rank has its halos
  if (timed) way.ns.push_back(ns);
  if (check_.fault("wrong_byte") && check_.rank() == check_.ranks() - 1 && way.first != nullptr) {
    cubes_.mine()[halo(first_.planes.face, Side::lower, settings_.n).first] += 1;
  }
  if (way.first != nullptr) compare(first_, index);
  if (way.second != nullptr) compare(second_, index);
}

void Samples::compare(const Exchanged& of, std::size_t way) {
  for (const Side side : {Side::lower, Side::upper}) {
    const int neighbour = of.ring.at(side);
    const Wrong wrong = halo_paths::compare(cubes_.mine(), halo(of.planes.face, side, settings_.n, of.planes.skip),
                                            {sample_, neighbour, of.planes.face, other(side)});
    if (wrong.values == 0) continue;
    if (wrong_.values == 0) {
      wrong_ = {0,
                static_cast<std::int64_t>(way),
                static_cast<std::int64_t>(of.planes.face),
                static_cast<std::int64_t>(side),
                wrong.first,
                neighbour,
                wrong.late};
    }
    wrong_.values += wrong.values;
  }
}

}  // namespace halo_paths
