#include "qcd/gauge/start.hpp"

namespace tenken::qcd {

namespace {

constexpr std::uint64_t normals_of_a_link = 18;
constexpr std::uint64_t normals_of_a_spinor = 24;

RandomStream stream(std::uint64_t seed, Purpose purpose) { return {seed, static_cast<std::uint64_t>(purpose)}; }

}  // namespace

Start start_from(std::string_view name) {
  if (name == "cold") return Start::cold;
  if (name == "warm") return Start::warm;
  return name == "heatbath" ? Start::heatbath : Start::hot;
}

Link Configuration::link(std::int64_t site, int mu) const {
  const auto first =
      (static_cast<std::uint64_t>(site) * directions + static_cast<std::uint64_t>(mu)) * normals_of_a_link;
  switch (start) {
    case Start::hot:
    case Start::heatbath:
      return random_link(stream(seed, Purpose::links), first);
    case Start::warm:
      return random_link_near_one(stream(seed, Purpose::links), first, epsilon);
    case Start::cold:
      break;
  }
  return unit_link();
}

Spinor random_spinor(std::uint64_t seed, Purpose purpose, std::int64_t site) {
  const RandomStream random = stream(seed, purpose);
  std::uint64_t next = static_cast<std::uint64_t>(site) * normals_of_a_spinor;
  Spinor psi;
  for (auto& spin : psi.at) {
    for (Complex<double>& a : spin) {
      a = {random.normal(next), random.normal(next + 1)};
      next += 2;
    }
  }
  return psi;
}

Link rotation(std::uint64_t seed, std::int64_t site) {
  return random_link(stream(seed, Purpose::rotation), static_cast<std::uint64_t>(site) * normals_of_a_link);
}

Links make_links(const Geometry& geometry, const Configuration& configuration) {
  Links links(static_cast<std::size_t>(geometry.sites) * directions, Pages::huge, "the gauge field");
#pragma omp parallel for schedule(static)
  for (int x = 0; x < geometry.sites; ++x) {
    const std::int64_t site = geometry.global_position(x);
    for (int mu = 0; mu < directions; ++mu) links[directions * x + mu] = configuration.link(site, mu);
  }
  return links;
}

Field make_field(const Geometry& geometry) {
  Field field(static_cast<std::size_t>(geometry.sites), Pages::huge, "a spinor field");
#pragma omp parallel for schedule(static)
  for (int x = 0; x < geometry.sites; ++x) field[x] = {};
  return field;
}

void fill_random(const Geometry& geometry, std::uint64_t seed, Purpose purpose, Field& field) {
#pragma omp parallel for schedule(static)
  for (int x = 0; x < geometry.sites; ++x) field[x] = random_spinor(seed, purpose, geometry.global_position(x));
}

void fill_point(const Geometry& geometry, const PointSource& point, Field& field) {
#pragma omp parallel for schedule(static)
  for (int x = 0; x < geometry.sites; ++x) field[x] = {};
  if (const int site = geometry.local(point.site); site >= 0) field[site].at[point.spin][point.colour] = {1, 0};
}

void fill_constant(const Geometry& geometry, Field& field) {
#pragma omp parallel for schedule(static)
  for (int x = 0; x < geometry.sites; ++x) {
    for (auto& spin : field[x].at) {
      for (Complex<double>& a : spin) a = {1, 0};
    }
  }
}

}  // namespace tenken::qcd
