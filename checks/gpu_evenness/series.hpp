// What is measured of each card through time, in bins of equal length.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/table.hpp"
#include "gpu/monitor.hpp"
#include "measure/record_table.hpp"

namespace tenken::gpu_evenness {

class Series {
 public:
  explicit Series(std::vector<std::string> cards) : cards_(std::move(cards)) {}

  void rate(double s, int card, double gflops) { rates_.push_back({s, card, gflops}); }
  void reading(double s, int card, const gpu::Reading& reading);
  void health(int card, const gpu::Health& health) { healths_[card] = health; }

  // `rate` (GFLOP/s), and where the driver reports them `clock` (GHz), `power` (W) and `temperature` (degree C):
  // medians of bins of a second, or longer where there would be more than 120, by card. `reasons`: the part of the
  // readings in which each reason slowed the card, in percent. `memory`: what the driver reports of the memory of the
  // cards; 1 is yes.
  std::vector<Table> tables() const;

 private:
  struct Sample {
    double s;
    int card;
    double value;
  };
  Table through_time(std::string name, std::string unit, Better better, const std::vector<Sample>& samples) const;
  Table reasons() const;
  Table memory() const;

  std::vector<std::string> cards_;
  std::vector<Sample> rates_, clocks_, powers_, temperatures_;
  std::map<std::string, std::vector<int>> slowed_;  // reason, readings of each card
  std::map<int, int> readings_;
  std::map<int, gpu::Health> healths_;
};

}  // namespace tenken::gpu_evenness
