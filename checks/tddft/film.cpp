#include "film.hpp"

#include <algorithm>
#include <cmath>

namespace tenken::tddft {

Range Film::share(int group) const {
  const Range points = levels_.points_of(group);
  return {group == 0 ? 0 : grid_.vacuum + points.first,
          group == levels_.groups() - 1 ? grid_.size() : grid_.vacuum + points.last};
}

Film::Film(const LightGrid& grid, const Levels& levels, Exchange exchange, const Pulse& incident, bool stale)
    : grid_(grid),
      levels_(levels),
      exchange_(exchange),
      stale_(stale),
      light_(grid, exchange == Exchange::gather ? Range{0, grid.size()} : share(levels.group()), incident),
      currents_(static_cast<std::size_t>(light_.own().size())) {
  for (int group = 0; group < levels_.groups(); ++group) {
    const Range points = levels_.points_of(group);
    counts_.push_back(static_cast<int>(points.size()));
    firsts_.push_back(static_cast<int>(points.first));
  }
  std::fill_n(requests_, 4, MPI_REQUEST_NULL);
}

Film::~Film() { MPI_Waitall(4, requests_, MPI_STATUSES_IGNORE); }

void Film::post() {
  if (exchange_ == Exchange::gather) return;
  const Range own = light_.own();
  const int before = levels_.group() > 0 ? levels_.group() - 1 : MPI_PROC_NULL;
  const int behind = levels_.group() + 1 < levels_.groups() ? levels_.group() + 1 : MPI_PROC_NULL;
  constexpr int backwards = 0, onwards = 1;
  sent_[0] = light_.next(own.first);
  sent_[1] = light_.next(own.last - 1);
  MPI_Irecv(&received_[0], 1, MPI_DOUBLE, before, onwards, levels_.across(), &requests_[0]);
  MPI_Irecv(&received_[1], 1, MPI_DOUBLE, behind, backwards, levels_.across(), &requests_[1]);
  MPI_Isend(&sent_[0], 1, MPI_DOUBLE, before, backwards, levels_.across(), &requests_[2]);
  MPI_Isend(&sent_[1], 1, MPI_DOUBLE, behind, onwards, levels_.across(), &requests_[3]);
}

void Film::receive(const std::vector<double>& currents) {
  const Range points = levels_.points();
  if (exchange_ == Exchange::gather) {
    std::vector<double> all(static_cast<std::size_t>(grid_.film));
    MPI_Allgatherv(currents.data(), static_cast<int>(points.size()), MPI_DOUBLE, all.data(), counts_.data(),
                   firsts_.data(), MPI_DOUBLE, levels_.across());
    if (told_.empty()) told_ = all;
    const auto& taken = stale_ ? told_ : all;
    std::copy(taken.begin(), taken.end(), currents_.begin() + grid_.vacuum);
    told_ = std::move(all);
  } else {
    MPI_Waitall(4, requests_, MPI_STATUSES_IGNORE);
    if (told_.empty()) told_.assign(received_, received_ + 2);
    if (!stale_) std::copy_n(received_, 2, told_.begin());
    light_.set_beyond(told_[0], told_[1]);
    std::copy_n(received_, 2, told_.begin());
  }
  std::copy(currents.begin(), currents.end(), currents_.begin() + (grid_.vacuum + points.first - light_.own().first));
}

void Film::advance() {
  light_.step(currents_);
  const Range points = levels_.points();
  for (std::int64_t point = grid_.vacuum + points.first; point < grid_.vacuum + points.last; ++point) {
    work_ += grid_.spacing * grid_.dt * light_.velocity(point) *
             currents_[static_cast<std::size_t>(point - light_.own().first)];
  }
}

double Film::reflected() const { return light_.own().first == 0 ? light_.now(0) - light_.incident() : 0; }

double Film::transmitted() const { return light_.own().last == grid_.size() ? light_.now(grid_.size() - 1) : 0; }

std::int64_t Film::messages() const {
  if (exchange_ == Exchange::gather) return levels_.groups() > 1 ? 1 : 0;
  return (levels_.group() > 0 ? 1 : 0) + (levels_.group() + 1 < levels_.groups() ? 1 : 0);
}

std::int64_t Film::bytes() const {
  const std::int64_t numbers = exchange_ == Exchange::gather ? levels_.points().size() : 1;
  return messages() * numbers * std::int64_t{sizeof(double)};
}

std::vector<double> Film::gathered(double (Light::*value)(std::int64_t) const) const {
  std::vector<double> all(static_cast<std::size_t>(grid_.size())), mine;
  std::vector<int> counts, firsts;
  for (int group = 0; group < levels_.groups(); ++group) {
    counts.push_back(static_cast<int>(share(group).size()));
    firsts.push_back(static_cast<int>(share(group).first));
  }
  const Range own = share(levels_.group());
  for (std::int64_t i = own.first; i < own.last; ++i) mine.push_back((light_.*value)(i));
  MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_DOUBLE, all.data(), counts.data(), firsts.data(),
                 MPI_DOUBLE, levels_.across());
  return all;
}

double Film::imbalance() const {
  const auto now = gathered(&Light::now), next = gathered(&Light::next);
  // With Exchange::gather every group has seen both ends.
  const bool counts = exchange_ == Exchange::neighbours || levels_.group() == 0;
  double sums[3]{work_, counts ? light_.entered() : 0, counts ? light_.crossed() : 0};
  MPI_Allreduce(MPI_IN_PLACE, sums, 3, MPI_DOUBLE, MPI_SUM, levels_.across());
  const double energy = std::abs(field_energy(grid_, now, next) + sums[0] - sums[1]) / sums[2];
  const Range own = light_.own();
  double apart = 0, greatest = 0;
  for (std::int64_t i = std::max<std::int64_t>(own.first - 1, 0); i < std::min(own.last + 1, grid_.size()); ++i) {
    apart = std::max(apart, std::abs(light_.now(i) - now[static_cast<std::size_t>(i)]));
  }
  for (const double a : now) greatest = std::max(greatest, std::abs(a));
  return energy + (apart > 0 ? apart / greatest : 0);
}

}  // namespace tenken::tddft
