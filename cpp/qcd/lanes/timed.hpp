// Sections of the even-odd solvers, with their work for the local part of one rank (real numbers of `real_bytes`).
// A hopping term has, for each of K fields together, the 1320 flop a site of work.hpp and, with `extra`, the 48 of psi
// - factor x hops; rebuilding the third row of links is not counted. Bytes: the eight links once for all K fields, the
// spinors of each once.
#pragma once

#include <mpi.h>

#include <span>

#include "measure/section.hpp"
#include "qcd/lanes/lanes.hpp"
#include "qcd/sections.hpp"
#include "qcd/work.hpp"

namespace tenken::qcd {

struct LaneTimer {
  MPI_Comm comm;
  const Lanes& lanes;
  int rows;
  std::int64_t real_bytes;
  const SolverSections& section;

  Work::Precision precision() const {
    return real_bytes == sizeof(float) ? Work::Precision::single : Work::Precision::double_;
  }
  std::int64_t spinors() const { return lanes.together * 24 * real_bytes; }  // of a site
  std::int64_t link() const { return 6 * rows * real_bytes; }
  std::int64_t sites() const { return std::int64_t{lanes.sites} * lanes.width; }

  Section iteration() const { return Section(section.solve); }

  auto hop(bool extra) const {
    return [this, extra](Step step) { return opened(step, extra); };
  }
  // Hops to one parity with all that belongs to them, messages included.
  Section hops(Leaf timed, int count) const {
    return Section(timed, {.flop = count * sites() * lanes.together * hop_flop,
                           .bytes_read = count * sites() * (8 * link() + spinors()),
                           .bytes_written = count * sites() * spinors(),
                           .precision = precision()});
  }
  Section axpy(int updates) const {
    return Section(section.axpy, {.flop = updates * sites() * lanes.together * vector_flop,
                                  .bytes_read = updates * sites() * 2 * spinors(),
                                  .bytes_written = updates * sites() * spinors(),
                                  .precision = precision()});
  }
  Section norm(int norms) const {
    return Section(section.norm, {.flop = norms * sites() * lanes.together * vector_flop,
                                  .bytes_read = norms * sites() * spinors(),
                                  .precision = precision()});
  }
  Section update() const { return Section(section.update); }

  // A number of each field, summed over ranks.
  void sum(std::span<double> local) const {
    int ranks = 1;
    MPI_Comm_size(comm, &ranks);
    Section s{section.reduction, reduction_work(ranks, lanes.together)};
    MPI_Allreduce(MPI_IN_PLACE, local.data(), lanes.together, MPI_DOUBLE, MPI_SUM, comm);
  }

 private:
  // What one rank sends, and receives, in one exchange.
  std::int64_t face_sites() const {
    std::int64_t all = 0;
    for (int mu = 0; mu < directions; ++mu) all += 2 * std::int64_t{lanes.face_size(mu)} * lanes.face_lanes(mu);
    return all;
  }
  std::int64_t packed_flop() const {
    std::int64_t flop = 0;
    for (int mu = 0; mu < directions; ++mu) {
      flop += std::int64_t{lanes.face_size(mu)} * lanes.width * lanes.together *
              (2 * (mu < 3 ? projection_flop : 0) + link_multiply_flop);
    }
    return flop;
  }
  Work swept(std::size_t vectors, bool extra) const {
    const auto here = static_cast<std::int64_t>(vectors) * lanes.width;
    return {.flop = here * lanes.together * (extra ? operator_flop : hop_flop),
            .bytes_read = here * (8 * link() + (extra ? 2 : 1) * spinors()),
            .bytes_written = here * spinors(),
            .precision = precision()};
  }
  Section opened(Step step, bool extra) const {
    const int parity = extra ? 0 : 1;
    switch (step) {
      case Step::pack:
        return Section(section.pack, {.flop = packed_flop(),
                                      .bytes_read = face_sites() * spinors() + face_sites() / 2 * link(),
                                      .bytes_written = face_sites() * spinors() / 2,
                                      .precision = precision()});
      case Step::start: {
        std::int64_t messages = 0;
        for (int mu = 0; mu < directions; ++mu) messages += lanes.face_size(mu) > 0 ? 2 : 0;
        return Section(section.communication, {.bytes_read = face_sites() * spinors() / 2,
                                               .bytes_written = face_sites() * spinors() / 2,
                                               .messages = messages});
      }
      case Step::interior:
        return Section(section.hop, swept(lanes.interior[parity].size(), extra));
      case Step::wait:
        return Section(section.wait);
      case Step::unpack:
        return Section(section.unpack);
      case Step::boundary: {
        Work work = swept(lanes.boundary[parity].size(), extra);
        work.flop -= packed_flop();
        return Section(section.hop, work);
      }
      case Step::sent:
        break;
    }
    return Section(section.communication);
  }
};

}  // namespace tenken::qcd
