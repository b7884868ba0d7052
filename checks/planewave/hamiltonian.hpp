// The Kohn-Sham Hamiltonian among the plane waves of one k-point: kinetic energy in waves, local potential on the grid,
// projectors by matrix products.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bands.hpp"
#include "groups.hpp"
#include "projectors.hpp"
#include "sphere.hpp"
#include "transform.hpp"

namespace tenken::planewave {

// What does not change while the potential does.
class Hamiltonian {
 public:
  Hamiltonian(const Groups& groups, const dft::Grid& grid, const std::vector<dft::Atom>& atoms, const dft::KPoint& k,
              double cut_off, int merge, bool conjugate, Watch* watch);

  const Sphere& sphere() const { return *sphere_; }
  const Projectors& projectors() const { return projectors_; }
  const dft::KPoint& k() const { return k_; }
  std::int64_t rows() const { return sphere_->waves() + projectors_.count(); }
  Transform& transform() { return *transform_; }
  std::int64_t bytes() const;

  // Products of bands with the projectors, behind their waves. Collective over the ranks that share waves.
  void project(std::int64_t count, const Columns& bands);
  // images: [band][wave] of H bands, whose products are up to date. potential: [point of this rank]. Collective.
  void apply(const std::vector<double>& potential, std::int64_t count, const Columns& bands, Complex* images);
  // density[point of this rank] += sum over bands of weight |psi|^2 times the volume of the cell. Collective.
  void add_density(double weight, std::int64_t count, const Columns& bands, std::vector<double>& density);

  // A planted error: the local potential loses the first column of waves of this rank.
  void lose_column() { lost_ = sphere_->sticks().front().waves; }
  void watch(Watch* watch);

 private:
  const Groups& groups_;
  dft::KPoint k_;
  std::unique_ptr<Sphere> sphere_;
  Projectors projectors_;
  std::unique_ptr<Transform> transform_;
  int merge_;
  std::int64_t lost_ = 0;  // waves
  Watch* watch_;
  Buffer<Complex> points_;
  std::vector<Complex> products_;
};

}  // namespace tenken::planewave
