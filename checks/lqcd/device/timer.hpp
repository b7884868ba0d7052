// Sections of a solver on a device, with their work for the local part of one rank. Kernels are timed by marks in the
// queue of the device, so that no section waits for the device. The clock of the host times messages and sums over
// ranks.
//
// Work of a hopping term as in qcd/lanes/timed.hpp: the 1320 flop a site of qcd/work.hpp and, with `extra`, the 48 of
// psi - factor x hops. Rebuilding the third row of links is not counted. Bytes: each link and each spinor once. So an
// output site has eight links where the input is of the other parity, and four where both are whole blocks.
#pragma once

#include <mpi.h>

#include <optional>
#include <vector>

#include "device/device.hpp"
#include "measure/clock.hpp"
#include "measure/section.hpp"
#include "qcd/sections.hpp"
#include "qcd/wilson.hpp"

namespace tenken::lqcd::device {

class Timer {
 public:
  // `rows` of each link are stored; numbers have `real_bytes`. The device stays with the caller.
  Timer(MPI_Comm comm, Device& device, const Sites& sites, int rows, std::size_t real_bytes,
        const qcd::SolverSections& sections);

  // A section that lasts as long as the object.
  class Timed {
   public:
    Timed(Timer& timer, Leaf leaf, const Work& work, bool on_device) : timer_(timer), leaf_(leaf), work_(work) {
      if (on_device) {
        first_ = timer_.begin();
      } else {
        timer_.leave_queue();
        host_.emplace(leaf, work);
      }
    }
    ~Timed() {
      if (!host_) timer_.end(first_, leaf_, work_);
    }
    Timed(const Timed&) = delete;
    Timed& operator=(const Timed&) = delete;

   private:
    Timer& timer_;
    Leaf leaf_;
    Work work_;
    int first_ = 0;
    std::optional<Section> host_;
  };

  // Steps of a hopping term, as Hopping::apply opens them.
  auto hop(bool extra) {
    return [this, extra](qcd::Step step) { return opened(step, extra); };
  }
  Timed axpy(int updates);
  Timed dot();  // of two fields
  Timed norm(int norms);
  Timed update() { return {*this, section_.update, {}, true}; }

  // A number summed over ranks.
  double sum(double local);

  // To be called at the end of an iteration, after its last result was read: samples of all marked sections.
  void add_samples();

 private:
  struct Sample {
    int first, last;  // marks
    Leaf leaf;
    Work work;
  };

  // Neighbouring sections share a mark.
  int begin() {
    if (last_ < 0) last_ = device_.mark();
    return last_;
  }
  void end(int first, Leaf leaf, const Work& work) {
    last_ = device_.mark();
    samples_.push_back({first, last_, leaf, work});
  }
  void leave_queue() { last_ = -1; }

  Timed opened(qcd::Step step, bool extra);
  Work swept(std::int64_t sites, bool extra) const;
  std::int64_t packed_flop() const;
  std::int64_t face_sites() const;  // that one rank sends, and receives, in one exchange

  MPI_Comm comm_;
  Device& device_;
  Sites sites_;
  std::int64_t link_, spinor_;  // bytes
  Work::Precision precision_;
  qcd::SolverSections section_;
  double ns_per_tick_;
  int last_ = -1;  // mark at which the next section begins, where nothing lies between
  std::vector<Sample> samples_;
};

}  // namespace tenken::lqcd::device
