#include "qcd/wilson.hpp"

#include <cstring>

namespace tenken::qcd {

namespace {

std::array<std::size_t, dimensions> face_bytes(const Decomposition& block) {
  std::array<std::size_t, dimensions> bytes{};
  for (int mu = 0; mu < dimensions; ++mu) {
    if (block.divided(mu)) bytes[mu] = static_cast<std::size_t>(block.face(mu)) * sizeof(Half);
  }
  return bytes;
}

}  // namespace

Wilson::Wilson(MPI_Comm comm, const Geometry& geometry, const Links& links, double kappa, Faults faults)
    : geometry_(geometry),
      links_(links),
      kappa_(kappa),
      faults_(faults),
      halo_(comm, geometry.block, face_bytes(geometry.block)) {
  for (int mu = 0; mu < directions; ++mu) {
    for (const Side side : {Side::lower, Side::upper}) {
      outgoing_[2 * mu + static_cast<int>(side)] = reinterpret_cast<Half*>(halo_.outgoing(mu, side));
    }
    incoming_[hop(mu, Way::forward)] = reinterpret_cast<const Half*>(halo_.incoming(mu, Side::upper));
    incoming_[hop(mu, Way::backward)] = reinterpret_cast<const Half*>(halo_.incoming(mu, Side::lower));
  }
}

void Wilson::take(Step step, Field& out, const Field& in) {
  switch (step) {
    case Step::pack:
      return pack_faces(geometry_, faults_.gamma, links_, in, outgoing_);
    case Step::start:
      return halo_.start();
    case Step::interior:
      return take_sites(geometry_.interior, out, in);
    case Step::wait:
      return halo_.wait_incoming();
    case Step::unpack:
      return;  // faces are used as they come
    case Step::boundary:
      return take_sites(geometry_.boundary, out, in);
    case Step::sent:
      return halo_.wait_outgoing();
  }
}

void Wilson::take_sites(const std::vector<std::int32_t>& sites, Field& out, const Field& in) {
  apply_sites(geometry_, faults_.gamma, links_, kappa_, sites, incoming_, out, in);
  if (clover_ != nullptr) add_clover(*clover_, sites, out, in);
}

void Wilson::zero_face() {
  for (int mu = dimensions - 1; mu >= 0; --mu) {
    if (!geometry_.block.divided(mu)) continue;
    std::memset(halo_.incoming(mu, Side::lower), 0, halo_.face_bytes(mu));
    return;
  }
}

}  // namespace tenken::qcd
