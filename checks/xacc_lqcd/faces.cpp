#include "faces.hpp"

#include <cstdlib>
#include <random>

#include "base/error.hpp"
#include "base/median.hpp"
#include "measure/section.hpp"
#include "programs.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace tenken::xacc_lqcd {

namespace {

std::size_t least(const std::vector<double>& of, std::size_t begin, std::size_t end) {
  const auto first = of.begin() + static_cast<std::ptrdiff_t>(begin),
             last = of.begin() + static_cast<std::ptrdiff_t>(end);
  return static_cast<std::size_t>(std::min_element(first, last) - first);
}

}  // namespace

Faces::Faces(Check& check) : check_(check), clock_(check.comm()) {
  for (const NamedFaces& named : all_faces) {
    if (named.lattice == check.parameters().text("lattice")) routes_.push_back({named.route, named.faces});
  }
  const int* extent = routes_.front().faces->extent;
  if (check.ranks() < 2 || check.ranks() > std::min(extent[0], extent[1])) {
    refuse("--faces exchanges faces of " + std::to_string(extent[0]) + " sites in t and " + std::to_string(extent[1]) +
           " in z; start it on 2 ranks, or on more up to these numbers");
  }
  check.require_memory(static_cast<double>(routes_.size()) * bytes(check, extent), "two faces");
  for (const Route& one : routes_) {
    setenv("XACC_ROUTE", one.name.c_str(), 1);  // read when a field is exchanged for the first time
    one.faces->prepare(check.comm());
  }
}

double Faces::bytes(const Check& check, const int* extent) {
  const auto row = static_cast<double>(extent[2]) * extent[3] * spinor_bytes;
  return row * (extent[1] * (part(extent[0], check.ranks(), 0) + 2.0) +
                extent[0] * (part(extent[1], check.ranks(), 0) + 2.0));
}

int Faces::block(int face) const {
  return static_cast<int>(part(routes_.front().faces->extent[face], check_.ranks(), 0));
}

void Faces::write(const Way& way) const {
  if (way.t != nullptr) way.t->write(0, block(0), samples_);
  if (way.z != nullptr) way.z->write(1, block(1), samples_);
}

double Faces::wrong(const Way& way) const {
  return (way.t != nullptr ? way.t->wrong(0, block(0), samples_) : 0) +
         (way.z != nullptr ? way.z->wrong(1, block(1), samples_) : 0);
}

// ns until every rank has its halos, which are compared.
double Faces::sample(const Way& way) {
  samples_ += 1;
  write(way);
  const bool unsent = check_.fault("unsent_face") && way.t != nullptr;
  MPI_Barrier(check_.comm());
  const double begin = clock_.now();
  if (way.t != nullptr) way.t->start(0);
  if (way.z != nullptr && !unsent) way.z->start(1);
  if (way.t != nullptr) way.t->finish(0);
  if (way.z != nullptr && !unsent) way.z->finish(1);
  const double ns = clock_.whole(begin, clock_.now());
  wrong_ += wrong(way);
  return ns;
}

// In turn, in an order that is drawn anew (on all ranks alike): a sample depends on what was in the caches before it.
std::vector<double> Faces::medians(std::vector<Way> ways, int samples) {
  std::vector<Way*> order;
  for (Way& way : ways) order.push_back(&way);
  std::mt19937 draw(1);
  for (int round = 0; round <= samples; ++round) {
    clock_.synchronise();
    std::shuffle(order.begin(), order.end(), draw);
    for (Way* way : order) {
      const double ns = sample(*way);
      if (round > 0) way->ns.push_back(ns);
    }
    advanced();
  }
  std::vector<double> found;
  for (const Way& way : ways) found.push_back(median_of(way.ns));
  return found;
}

// The route of --route for each face; of auto the one that was fastest for the face alone.
Faces::Chosen Faces::choose(int samples) {
  const std::size_t n = routes_.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (routes_[i].name == check_.parameters().text("route")) return {i, i};
  }
  std::vector<Way> alone;
  for (const Route& one : routes_) alone.push_back({one.faces, nullptr});
  for (const Route& one : routes_) alone.push_back({nullptr, one.faces});
  const std::vector<double> ns = medians(std::move(alone), samples);
  return {least(ns, 0, n), least(ns, n, 2 * n)};
}

// All routes in every launch, so that launches of one route or another find the same in the caches.
void Faces::measure(int samples) {
  const Chosen best = choose(samples);
  const XaccLqcdFaces *t = routes_[best.t].faces, *z = routes_[best.z].faces;
  std::vector<Way> ways{{t, nullptr}, {nullptr, z}, {t, z}};
  for (const Route& one : routes_) ways.push_back({one.faces, one.faces});
  const std::vector<double> ns = medians(std::move(ways), samples);
  const std::size_t best_one = least(ns, 3, ns.size());
  check_.value("face_t_us", "us", ns[0] * 1e-3);
  check_.value("face_z_us", "us", ns[1] * 1e-3);
  check_.value("both_faces_us", "us", ns[2] * 1e-3);
  check_.value("one_route_us", "us", ns[3 + best_one] * 1e-3);
  check_.value("overlap_efficiency", "1", overlap_efficiency(ns[0], ns[1], ns[2]));
  check_.value("route_t", "1", static_cast<double>(best.t));
  check_.value("route_z", "1", static_cast<double>(best.z));
  check_.value("route_both", "1", static_cast<double>(best_one));
  check_.prove(this_check::validity::halos, check_.sum_over_ranks(wrong_));
}

}  // namespace tenken::xacc_lqcd
