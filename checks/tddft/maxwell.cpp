#include "maxwell.hpp"

#include <cmath>
#include <numbers>

namespace tenken::tddft {

namespace {

constexpr double pi = std::numbers::pi;

}  // namespace

Light::Light(const LightGrid& grid, Range own, const Pulse& incident)
    : grid_(grid),
      own_(own),
      pulse_(incident),
      before_(static_cast<std::size_t>(own.size() + 2)),
      now_(before_.size()),
      next_(before_.size()) {
  if (own_.first == 0) next_[place(0)] = incident_at(grid_.dt, 0);
}

void Light::set_beyond(double before, double behind) {
  next_.front() = before;
  next_.back() = behind;
}

void Light::cross(double energy) {
  entered_ += energy;
  crossed_ += std::abs(energy);
}

void Light::step(const std::vector<double>& current) {
  const std::int64_t last = grid_.size() - 1;
  const double ratio = light_speed * grid_.dt / grid_.spacing, force = 4 * pi * grid_.dt * grid_.dt;
  std::vector<double> then(next_.size());
  for (std::int64_t i = own_.first; i < own_.last; ++i) {
    if (i == 0 || i == last) continue;
    const std::size_t p = place(i);
    then[p] = 2 * next_[p] - now_[p] + ratio * ratio * (next_[p + 1] - 2 * next_[p] + next_[p - 1]) -
              force * current[static_cast<std::size_t>(i - own_.first)];
  }
  // Mur: what leaves keeps its shape. At the first point that is a without the light that enters there.
  const double mur = (ratio - 1) / (ratio + 1), t = static_cast<double>(time_ + 1) * grid_.dt;
  const auto leaving = [&](std::int64_t end, std::int64_t inner, const auto& entering) {
    const std::size_t e = place(end), i = place(inner);
    then[e] = entering(t + grid_.dt, end) + next_[i] - entering(t, inner) +
              mur * (then[i] - entering(t + grid_.dt, inner) - next_[e] + entering(t, end));
    const double velocity = (then[e] - now_[e]) / (2 * grid_.dt);
    cross(light_speed * light_speed / (4 * pi) * (next_[e] - next_[i]) * velocity * grid_.dt / grid_.spacing);
  };
  if (own_.first == 0) {
    leaving(0, 1,
            [&](double at, std::int64_t point) { return incident_at(at, static_cast<double>(point) * grid_.spacing); });
  }
  if (own_.last == last + 1) {
    leaving(last, last - 1, [](double, std::int64_t) { return 0.0; });
  }
  before_ = std::move(now_);
  now_ = std::move(next_);
  next_ = std::move(then);
  ++time_;
}

double field_energy(const LightGrid& grid, const std::vector<double>& now, const std::vector<double>& next) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < now.size(); ++i) {
    const double velocity = i == 0 ? 0 : (next[i] - now[i]) / grid.dt;  // the ends follow what crosses them
    const double slopes = (now[i + 1] - now[i]) * (next[i + 1] - next[i]) / (grid.spacing * grid.spacing);
    sum += velocity * velocity + light_speed * light_speed * slopes;
  }
  return sum * grid.spacing / (8 * pi);
}

}  // namespace tenken::tddft
