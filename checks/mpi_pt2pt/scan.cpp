#include "scan.hpp"

#include <sched.h>

#include <algorithm>

#include "agree.hpp"
#include "cards.hpp"
#include "cores.hpp"
#include "measure/clock.hpp"
#include "measure/topology.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace mpi_pt2pt {

namespace {

constexpr int small_bytes = 8;
constexpr int trips = 100;
constexpr std::int64_t large_bytes = 1 << 20;
constexpr int window = 4;
constexpr int small_tag = 4;
constexpr int large_tag = 5;

double middle(std::vector<double> values) {
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

// Runs `body` and returns how many us it took.
template <class Body>
double us_of(const Body& body) {
  const std::int64_t start = tenken::monotonic_ns();
  body();
  return static_cast<double>(tenken::monotonic_ns() - start) / 1000;
}

}  // namespace

Scan::Scan(tenken::Check& check, Way way)
    : check_(check),
      way_(way),
      home_(sched_getcpu()),
      other_(-1),
      small_(check.comm(), 1 - check.rank(), small_bytes, way, small_tag) {
  take_places();
  check.require_memory(2.0 * window * large_bytes, "a scan of mpi_pt2pt by core");
  small_.room(trips);
}

Scan::~Scan() = default;

void Scan::take_places() {
  using tenken::ExitCode;
  const bool one_node = same_node(check_.comm());
  int theirs = -1;
  MPI_Sendrecv(&home_, 1, MPI_INT, 1 - check_.rank(), 0, &theirs, 1, MPI_INT, 1 - check_.rank(), 0, check_.comm(),
               MPI_STATUS_IGNORE);
  if (one_node) other_ = theirs;
  const std::vector<int>& given = given_processors();
  std::string problem;
  cpus_ = visited(check_.parameters().integers("cores"), given, problem);
  agree(check_.comm(), ExitCode::refused, check_.rank() == 0 ? problem : "");
  const bool alone = one_node && (given.size() < 2 || check_.oversubscribed());
  agree(check_.comm(), ExitCode::lacking,
        alone ? "a scan by core needs two cores at least, and the launcher gave this rank processor " + list_of(given) +
                    " alone; start it without binding (mpirun --bind-to none)"
              : "");
  int count = static_cast<int>(cpus_.size());
  MPI_Bcast(&count, 1, MPI_INT, 0, check_.comm());
  cpus_.resize(static_cast<std::size_t>(count));
  MPI_Bcast(cpus_.data(), count, MPI_INT, 0, check_.comm());
  for (const tenken::Processor& one : read_topology(tenken::Tree("/"), given).processors) numa_[one.cpu] = one.numa;
}

Lane& Scan::large_on(int cpu) {
  std::unique_ptr<Lane>& lane = large_[check_.rank() == 0 ? numa_[cpu] : 0];
  if (!lane) {
    lane = std::make_unique<Lane>(check_.comm(), 1 - check_.rank(), large_bytes, way_, large_tag);
    lane->room(window);
  }
  return *lane;
}

// Rank 0 goes to `cpu`; whoever lives there goes to rank 0's home meanwhile.
void Scan::visit(int cpu) {
  if (check_.rank() == 0) {
    move_to(cpu);
  } else if (other_ >= 0) {
    move_to(cpu == home_ ? other_ : home_);
  }
}

void Scan::pass(bool timed) {
  for (const int cpu : cpus_) {
    visit(cpu);
    Lane& large = large_on(cpu);
    const bool sends = check_.rank() == 0;
    ++sample_;
    if (sends) {
      small_.write(sample_, trips);
      large.write(sample_, window);
    }
    MPI_Barrier(check_.comm());
    small_.meet();
    const double latency = us_of([&] {
      tenken::Section s{this_check::section::core_latency, 0, round_trip_work(sends, small_bytes, trips), 2 * trips};
      small_.round_trips(trips);
    });
    large.meet();
    const double us = us_of([&] {
      const tenken::Work work = sends ? sent_work(large_bytes, window) : tenken::Work{};
      tenken::Section s{this_check::section::core_bandwidth, 0, work, window};
      large.one_way(1, window);
    });
    wrong_ += sends ? small_.wrong_echo(sample_, trips) : small_.wrong(sample_, trips) + large.wrong(sample_, window);
    if (!timed) continue;
    samples_[cpu].latency_us.push_back(latency / (2 * trips));
    samples_[cpu].bandwidth.push_back(static_cast<double>(window * large_bytes) / us / 1000);
  }
  move_to(home_);
}

void Scan::report() const {
  for (const int cpu : cpus_) {
    const Samples& own = samples_.at(cpu);
    check_.value("core_latency/" + std::to_string(cpu), "us", middle(own.latency_us));
    check_.value("core_bandwidth/" + std::to_string(cpu), "GB/s", middle(own.bandwidth));
  }
  const std::vector<Card> cards = cards_of(tenken::Tree("/"));
  if (cards.empty()) return;
  check_.table(near_table(cards, cpus_));
  const tenken::Table interrupts = interrupt_table(cards);
  if (!interrupts.rows.empty()) check_.table(interrupts);
}

}  // namespace mpi_pt2pt
