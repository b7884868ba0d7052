#include "route.hpp"

#include <array>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "parallel/requests.hpp"

namespace halo_paths {

using namespace tenken;

namespace {

constexpr std::array<Side, 2> sides = {Side::lower, Side::upper};

// The tag names the side at which a plane leaves: with two ranks both planes go to the same neighbour.
int tag_of(Side sent_at) { return static_cast<int>(sent_at); }

// What all routes have.
class OfFace : public Route {
 public:
  OfFace(Cubes& cubes, const Planes& planes, const Ring& ring, const Parts& parts)
      : cubes_(cubes), planes_(planes), ring_(ring), parts_(parts) {}

 protected:
  Plane source_at(Side side) const { return source(planes_.face, side, cubes_.n(), planes_.skip); }
  Plane halo_at(Side side) const { return halo(planes_.face, side, cubes_.n(), planes_.skip); }

  Cubes& cubes_;
  Planes planes_;
  Ring ring_;
  Parts parts_;
};

// A plane as a datatype of MPI.
class PlaneType {
 public:
  explicit PlaneType(const Plane& plane) {
    MPI_Type_vector(static_cast<int>(plane.blocks), static_cast<int>(plane.block), static_cast<int>(plane.stride),
                    MPI_DOUBLE, &type_);
    MPI_Type_commit(&type_);
  }
  ~PlaneType() { MPI_Type_free(&type_); }
  PlaneType(const PlaneType&) = delete;
  PlaneType& operator=(const PlaneType&) = delete;
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

// Planes are copied side by side; the neighbour gets them in messages, or copies them from there (staged).
class PackRoute : public OfFace {
 public:
  PackRoute(Cubes& cubes, const Planes& planes, const Ring& ring, const Parts& parts, Through through)
      : OfFace(cubes, planes, ring, parts), requests_(cubes.comm(), through) {
    const auto values = static_cast<std::size_t>(source_at(Side::lower).values());
    const std::size_t bytes = values * sizeof(double);
    const std::size_t apart = (bytes + flag_distance - 1) / flag_distance * flag_distance;
    std::byte* const memory = requests_.memory(2 * apart, "packed planes");
    for (const Side side : sides) {
      const auto at = static_cast<std::size_t>(side);
      out_[at] = reinterpret_cast<double*>(memory + at * apart);
      in_[at] = Buffer<double>(values, Pages::any, "packed planes");
      requests_.receive(ring_.at(side), tag_of(other(side)), reinterpret_cast<std::byte*>(in_[at].data()), bytes);
      requests_.send(ring_.at(side), tag_of(side), memory + at * apart, bytes);
    }
    requests_.complete();
  }

  void start(std::int64_t) override {
    {
      const Part part(parts_.pack);
      for (const Side side : sides) pack(cubes_.mine(), source_at(side), out_[static_cast<std::size_t>(side)]);
    }
    const Part part(parts_.start);
    requests_.start();
  }

  void finish(std::int64_t) override {
    {
      const Part part(parts_.wait);
      requests_.wait_incoming();
      requests_.wait_outgoing();
    }
    const Part part(parts_.unpack);
    for (const Side side : sides) unpack(in_[static_cast<std::size_t>(side)].data(), cubes_.mine(), halo_at(side));
  }

 private:
  std::array<double*, 2> out_{};
  std::array<Buffer<double>, 2> in_;
  Requests requests_;  // the last: freed before the memory that it uses
};

class DatatypeRoute : public OfFace {
 public:
  DatatypeRoute(Cubes& cubes, const Planes& planes, const Ring& ring, const Parts& parts)
      : OfFace(cubes, planes, ring, parts), type_(source_at(Side::lower)) {
    MPI_Comm_dup(cubes.comm(), &comm_);
    double* cube = cubes.mine();
    MPI_Request* request = requests_.data();
    for (const Side side : sides) {
      MPI_Recv_init(cube + halo_at(side).first, 1, type_.get(), ring_.at(side), tag_of(other(side)), comm_, request++);
    }
    for (const Side side : sides) {
      MPI_Send_init(cube + source_at(side).first, 1, type_.get(), ring_.at(side), tag_of(side), comm_, request++);
    }
  }
  ~DatatypeRoute() override {
    for (MPI_Request& request : requests_) MPI_Request_free(&request);
    MPI_Comm_free(&comm_);
  }

  void start(std::int64_t) override {
    const Part part(parts_.start);
    MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
  }
  void finish(std::int64_t) override {
    const Part part(parts_.wait);
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

 private:
  PlaneType type_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  std::array<MPI_Request, 4> requests_{};
};

// Each rank reads the planes of its neighbours where they lie, once the neighbours have shown them as ready.
class WindowRoute : public OfFace {
 public:
  using OfFace::OfFace;

  void start(std::int64_t sample) override {
    const Part part(parts_.start);
    int rank = 0;
    MPI_Comm_rank(cubes_.comm(), &rank);
    cubes_.ready(rank, planes_.face).store(sample, std::memory_order_release);
  }

  void finish(std::int64_t sample) override {
    {
      const Part part(parts_.wait);
      for (const Side side : sides) {
        wait_for(cubes_.ready(ring_.at(side), planes_.face), sample, [] {});
      }
    }
    const Part part(parts_.unpack);
    for (const Side side : sides) copy(cubes_.of(ring_.at(side)), source_at(other(side)), cubes_.mine(), halo_at(side));
  }
};

// One-sided: the planes are put into the halos of the neighbours; an empty message then shows them as complete.
class PutRoute : public OfFace {
 public:
  PutRoute(Cubes& cubes, const Planes& planes, const Ring& ring, const Parts& parts)
      : OfFace(cubes, planes, ring, parts), type_(source_at(Side::lower)) {
    const std::int64_t n = cubes.n();
    MPI_Comm_dup(cubes.comm(), &comm_);
    // Open MPI 4.1 has no window for a single rank, and none where no transport is fit.
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    const auto bytes = static_cast<MPI_Aint>(n * n * n) * static_cast<MPI_Aint>(sizeof(double));
    int failed =
        MPI_Win_create(cubes.mine(), bytes, sizeof(double), MPI_INFO_NULL, comm_, &window_) == MPI_SUCCESS ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm_);
    MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
    usable_ = failed == 0;
    if (usable_) MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  }
  bool usable() const { return usable_; }
  ~PutRoute() override {
    if (usable_) {
      MPI_Win_unlock_all(window_);
      MPI_Win_free(&window_);
    }
    MPI_Comm_free(&comm_);
  }

  void start(std::int64_t) override {
    const Part part(parts_.start);
    MPI_Request* request = notes_.data();
    for (const Side side : sides) {
      MPI_Irecv(nullptr, 0, MPI_BYTE, ring_.at(side), tag_of(other(side)), comm_, request++);
    }
    for (const Side side : sides) {
      MPI_Put(cubes_.mine() + source_at(side).first, 1, type_.get(), ring_.at(side), halo_at(other(side)).first, 1,
              type_.get(), window_);
    }
  }

  void finish(std::int64_t) override {
    const Part part(parts_.wait);
    for (const Side side : sides) {
      MPI_Win_flush(ring_.at(side), window_);
      MPI_Send(nullptr, 0, MPI_BYTE, ring_.at(side), tag_of(side), comm_);
    }
    MPI_Waitall(static_cast<int>(notes_.size()), notes_.data(), MPI_STATUSES_IGNORE);
    MPI_Win_sync(window_);
  }

 private:
  PlaneType type_;
  MPI_Comm comm_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  bool usable_ = false;
  std::array<MPI_Request, 2> notes_{};
};

class NeighbourRoute : public OfFace {
 public:
  NeighbourRoute(Cubes& cubes, const Planes& planes, const Ring& ring, const Parts& parts)
      : OfFace(cubes, planes, ring, parts), type_(source_at(Side::lower)) {
    // With two ranks the first edge that leaves a rank is the first that arrives at the other: what leaves at the lower
    // side arrives at the upper side.
    const std::array<int, 2> from = {ring.upper, ring.lower}, to = {ring.lower, ring.upper};
    MPI_Dist_graph_create_adjacent(cubes.comm(), 2, from.data(), MPI_UNWEIGHTED, 2, to.data(), MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &graph_);
    const auto bytes = [](const Plane& plane) {
      return static_cast<MPI_Aint>(plane.first) * static_cast<MPI_Aint>(sizeof(double));
    };
    sent_at_ = {bytes(source_at(Side::lower)), bytes(source_at(Side::upper))};
    received_at_ = {bytes(halo_at(Side::upper)), bytes(halo_at(Side::lower))};
    types_ = {type_.get(), type_.get()};
  }
  ~NeighbourRoute() override { MPI_Comm_free(&graph_); }

  void start(std::int64_t) override {
    const Part part(parts_.start);
    MPI_Ineighbor_alltoallw(cubes_.mine(), counts_.data(), sent_at_.data(), types_.data(), cubes_.mine(),
                            counts_.data(), received_at_.data(), types_.data(), graph_, &request_);
  }
  void finish(std::int64_t) override {
    const Part part(parts_.wait);
    MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

 private:
  PlaneType type_;
  MPI_Comm graph_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
  std::array<int, 2> counts_ = {1, 1};
  std::array<MPI_Aint, 2> sent_at_{}, received_at_{};
  std::array<MPI_Datatype, 2> types_{};
};

}  // namespace

namespace {

// Whether every rank can read the memory of its neighbours. Collective.
bool on_one_node(const Cubes& cubes, const Ring& ring) {
  int apart = cubes.of(ring.lower) == nullptr || cubes.of(ring.upper) == nullptr ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &apart, 1, MPI_INT, MPI_MAX, cubes.comm());
  return apart == 0;
}

}  // namespace

std::unique_ptr<Route> make_route(Kind kind, Cubes& cubes, const Planes& planes, const Ring& ring, const Parts& parts) {
  switch (kind) {
    case Kind::pack:
      return std::make_unique<PackRoute>(cubes, planes, ring, parts, Through::messages);
    case Kind::datatype:
      return std::make_unique<DatatypeRoute>(cubes, planes, ring, parts);
    case Kind::put: {
      auto route = std::make_unique<PutRoute>(cubes, planes, ring, parts);
      if (!route->usable()) return nullptr;
      return route;
    }
    case Kind::neighbour:
      return std::make_unique<NeighbourRoute>(cubes, planes, ring, parts);
    default:
      break;
  }
  if (!on_one_node(cubes, ring)) return nullptr;
  if (kind == Kind::window) return std::make_unique<WindowRoute>(cubes, planes, ring, parts);
  return std::make_unique<PackRoute>(cubes, planes, ring, parts, Through::memory);
}

}  // namespace halo_paths
