#include "curve.hpp"

#include "cores_shared.hpp"
#include "pairs.hpp"
#include "parallel/batch.hpp"
#include "work.hpp"

namespace mpi_pt2pt {

using tenken::Section;

Curve::Curve(tenken::Check& check, int partner, const MakeMessages& make, const CurveSections& sections)
    : check_(check), sections_(sections), idle_(partner == nobody) {
  const std::vector<std::int64_t> sizes = check.parameters().integers("sizes");
  const std::int64_t most = check.parameters().integer("window");
  double bytes = 0;
  for (const std::int64_t size : sizes) bytes += 2.0 * static_cast<double>(size) * window_of(size, most);
  check.require_memory(bytes, "mpi_pt2pt with these message sizes and this window");
  if (sizes.size() == 1) check.value("message_bytes", "B", static_cast<double>(sizes.front()));
  const int last = check.ranks() - 1 - check.ranks() % 2;  // that has a partner
  if (check.fault("slow_pair") && (check.rank() == last || partner == last)) passes_ = 2;
  spoil_ = check.fault("wrong_byte") && check.rank() == last;

  const bool shared = cores_shared(check);
  for (const std::int64_t size : sizes) {
    OfSize& one = all_.emplace_back(OfSize{make(size), size, window_of(size, most)});
    const auto fitting = [&](int messages, const auto& run) {
      if (shared) return 1;
      return tenken::batch_of(check.comm(), [&](int calls) {
        if (idle_) return;
        one.lane->room(calls * messages);
        one.lane->write(++sample_, calls * messages);
        run(calls);
      });
    };
    one.round_trips = fitting(1, [&](int calls) { one.lane->round_trips(calls); });
    one.one_way = fitting(one.window, [&](int calls) { one.lane->one_way(calls, one.window); });
    one.both_ways = fitting(one.window, [&](int calls) { one.lane->both_ways(calls, one.window); });
  }
}

void Curve::pass() {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    exchange(all_[i], static_cast<int>(i));
    one_way(all_[i], static_cast<int>(i));
    both_ways(all_[i], static_cast<int>(i));
  }
}

void Curve::exchange(OfSize& one, int index) {
  const int trips = one.round_trips;
  ++sample_;
  if (!idle_) one.lane->room(trips);
  if (!idle_ && one.lane->starts()) one.lane->write(sample_, trips);
  MPI_Barrier(check_.comm());  // all pairs at once
  if (idle_) return;
  one.lane->meet();
  if (one.lane->acts_for() > 0) {
    Section s{sections_.exchange, index, round_trip_work(one.lane->starts(), one.size, trips), 2 * trips};
    for (int pass = 0; pass < passes_; ++pass) one.lane->round_trips(trips);
  }
  if (spoil_) one.lane->spoil();
  wrong_ += one.lane->wrong_after(Pattern::round_trips, sample_, trips);
}

void Curve::one_way(OfSize& one, int index) {
  const int messages = one.one_way * one.window;
  ++sample_;
  if (!idle_) one.lane->room(messages);
  if (!idle_ && one.lane->starts()) one.lane->write(sample_, messages);
  MPI_Barrier(check_.comm());
  if (idle_) return;
  one.lane->meet();
  if (one.lane->acts_for() > 0) {
    const tenken::Work work = one.lane->starts() ? sent_work(one.size, messages) : tenken::Work{};
    Section s{sections_.one_way, index, work, messages};
    for (int pass = 0; pass < passes_; ++pass) one.lane->one_way(one.one_way, one.window);
  }
  wrong_ += one.lane->wrong_after(Pattern::one_way, sample_, messages);
}

void Curve::both_ways(OfSize& one, int index) {
  const int messages = one.both_ways * one.window;
  ++sample_;
  if (!idle_) one.lane->room(messages);
  if (!idle_) one.lane->write(sample_, messages);
  MPI_Barrier(check_.comm());
  if (idle_) return;
  one.lane->meet();
  if (one.lane->acts_for() > 0) {
    Section s{sections_.both_ways, index, sent_work(one.size, messages * one.lane->acts_for()), messages};
    for (int pass = 0; pass < passes_; ++pass) one.lane->both_ways(one.both_ways, one.window);
  }
  wrong_ += one.lane->wrong_after(Pattern::both_ways, sample_, messages);
}

}  // namespace mpi_pt2pt
