// The pressure operator L = D M^-1 D^T: gradient to nodes, sum over ranks, lumped mass, divergence. Never assembled but
// in variant `assembled`, which stores its 27 couplings of an element.
#pragma once

#include <mpi.h>

#include <memory>
#include <string_view>

#include "elements.hpp"
#include "fused.hpp"
#include "numerics/sell.hpp"
#include "parallel/exchange.hpp"
#include "sums.hpp"

namespace les {

enum class Variant { gather, scatter, fused, assembled };
Variant variant_of(std::string_view name);

template <class Real>
class Pressure {
 public:
  // inverse_mass: of nodes, of all ranks' elements, 0 where the velocity is fixed. All arguments must outlive it.
  Pressure(MPI_Comm comm, const Box& box, const Mesh& mesh, const Elements<Real>& elements, Variant variant,
           const Real* inverse_mass, NodeSums<Real>& sums, int rank, int ranks);

  // g = gradient of p (elements.hpp), times the inverse mass if asked for; of the elements of this rank.
  void gradient(const Real* p, bool by_mass, const Three<Real>& g);
  void divergence(const Three<Real>& v, Real* d);
  // to = L p; p may be written beyond its slots (assembled: pressures of others).
  void operator()(Real* p, Real* to);

  // 1 / L_ee, by slot; 0 in empty lanes.
  const Real* inverse_diagonal() const { return inverse_diagonal_.data(); }
  // Length of arrays of pressures: slots, and room for pressures of others.
  std::int64_t length() const { return elements_.slots() + others_; }
  const Three<Real>& scratch() { return at_nodes_; }
  std::int64_t stored_bytes() const;  // beside the integrals of elements and fields
  tenken::Work gradient_work() const;
  tenken::Work divergence_work() const;
  tenken::Work fused_work() const;  // gradient and divergence
  tenken::Work assembled_work() const;
  void watch(StepWatch* watch) { watch_ = watch; }
  void turn_sign() { sign_ = -1; }  // a fault: of the divergence

 private:
  void turn(Real* d) const;
  void apply_fused(const Real* p, Real* to);
  void apply_assembled(Real* p, Real* to);
  void assemble(MPI_Comm comm, const Box& box, const Mesh& mesh, int rank, int ranks);

  const Elements<Real>& elements_;
  Variant variant_;
  const Real* inverse_mass_;
  NodeSums<Real>& sums_;
  NodeRows<Real> rows_;
  std::unique_ptr<Fused<Real>> fused_;
  std::int64_t nodes_, others_ = 0;
  std::array<tenken::Buffer<Real>, 3> buffers_;
  Three<Real> at_nodes_;
  tenken::Buffer<Real> inverse_diagonal_;
  tenken::Sell<Real> assembled_;
  std::unique_ptr<tenken::Exchange> others_pressure_;
  StepWatch* watch_ = nullptr;
  int sign_ = 1;
};

}  // namespace les
