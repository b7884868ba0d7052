#include "device/timer.hpp"

#include "qcd/work.hpp"

namespace tenken::lqcd::device {

using qcd::Step;

Timer::Timer(MPI_Comm comm, Device& device, const Sites& sites, int rows, std::size_t real_bytes,
             const qcd::SolverSections& sections)
    : comm_(comm),
      device_(device),
      sites_(sites),
      link_(static_cast<std::int64_t>(2 * rows * colours * real_bytes)),
      spinor_(static_cast<std::int64_t>(2 * spins * colours * real_bytes)),
      precision_(real_bytes == sizeof(float) ? Work::Precision::single : Work::Precision::double_),
      section_(sections),
      ns_per_tick_(Clock().ns_per_tick()) {}

auto Timer::axpy(int updates) -> Timed {
  const std::int64_t sites = updates * std::int64_t{sites_.count()};
  return {*this,
          section_.axpy,
          {.flop = sites * qcd::vector_flop,
           .bytes_read = sites * 2 * spinor_,
           .bytes_written = sites * spinor_,
           .precision = precision_},
          true};
}

auto Timer::dot() -> Timed {
  const std::int64_t sites = sites_.count();
  return {*this,
          section_.dot,
          {.flop = sites * qcd::vector_flop, .bytes_read = sites * 2 * spinor_, .precision = precision_},
          true};
}

auto Timer::norm(int norms) -> Timed {
  const std::int64_t sites = norms * std::int64_t{sites_.count()};
  return {*this,
          section_.norm,
          {.flop = sites * qcd::vector_flop, .bytes_read = sites * spinor_, .precision = precision_},
          true};
}

double Timer::sum(double local) {
  int ranks = 1;
  MPI_Comm_size(comm_, &ranks);
  const Timed timed(*this, section_.reduction, qcd::reduction_work(ranks), false);
  MPI_Allreduce(MPI_IN_PLACE, &local, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return local;
}

void Timer::add_samples() {
  for (const Sample& each : samples_) {
    const double ticks = device_.ns(each.first, each.last) / ns_per_tick_;
    add_sample(each.leaf, static_cast<std::int64_t>(ticks), each.work);
  }
  samples_.clear();
  device_.forget_marks();
  leave_queue();
}

std::int64_t Timer::face_sites() const {
  std::int64_t all = 0;
  for (int mu = 0; mu < directions; ++mu) all += sites_.divided[mu] ? 2 * std::int64_t{sites_.face(mu)} : 0;
  return all;
}

std::int64_t Timer::packed_flop() const {
  std::int64_t flop = 0;
  for (int mu = 0; mu < directions; ++mu) {
    if (!sites_.divided[mu]) continue;
    flop += std::int64_t{sites_.face(mu)} * (2 * (mu < 3 ? qcd::projection_flop : 0) + qcd::link_multiply_flop);
  }
  return flop;
}

Work Timer::swept(std::int64_t sites, bool extra) const {
  const bool separate = extra && sites_.halved;  // of a whole block, extra is the input of the hops
  return {.flop = sites * (extra ? qcd::operator_flop : qcd::hop_flop),
          .bytes_read = sites * ((sites_.halved ? 8 : 4) * link_ + (separate ? 2 : 1) * spinor_),
          .bytes_written = sites * spinor_,
          .precision = precision_};
}

auto Timer::opened(Step step, bool extra) -> Timed {
  std::int64_t inside = sites_.count();
  for (int mu = 0; mu < directions; ++mu) {
    if (sites_.divided[mu]) inside = inside / sites_.extent[mu] * (sites_.extent[mu] - 2);
  }
  switch (step) {
    case Step::pack:
      return {*this,
              section_.pack,
              {.flop = packed_flop(),
               .bytes_read = face_sites() * spinor_ + face_sites() / 2 * link_,
               .bytes_written = face_sites() * spinor_ / 2,
               .precision = precision_},
              true};
    case Step::start: {
      std::int64_t messages = 0;
      for (const bool divided : sites_.divided) messages += divided ? 2 : 0;
      const std::int64_t bytes = face_sites() * spinor_ / 2;
      return {
          *this, section_.communication, {.bytes_read = bytes, .bytes_written = bytes, .messages = messages}, false};
    }
    case Step::interior:
      return {*this, section_.hop, swept(inside, extra), true};
    case Step::wait:
      return {*this, section_.wait, {}, false};
    case Step::unpack:
      return {*this, section_.unpack, {}, true};
    case Step::boundary: {
      Work work = swept(sites_.count() - inside, extra);
      work.flop -= packed_flop();
      return {*this, section_.hop, work, true};
    }
    case Step::sent:
      break;
  }
  return {*this, section_.communication, {}, false};
}

}  // namespace tenken::lqcd::device
