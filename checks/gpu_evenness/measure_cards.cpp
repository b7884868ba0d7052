#include "measure_cards.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "chain.hpp"
#include "gpu/choice.hpp"
#include "gpu/monitor.hpp"
#include "measure/clock.hpp"
#include "measure/record.hpp"
#include "series.hpp"
#include "this_check.hpp"

namespace tenken::gpu_evenness {

namespace {

constexpr double reading_s = 0.5;  // between two readings of all cards; the driver renews its averages no faster

// Rounds with which the fastest card computes for so long. Doubled from few, as no card is known before.
std::int64_t rounds_for(Cards& cards, int count, double ns) {
  for (std::int64_t rounds = 16;; rounds *= 2) {
    double shortest = 0;
    for (int card = 0; card < count; ++card) {
      cards.start(card, rounds, 1);
      const double length = cards.ns(card);
      if (card == 0 || length < shortest) shortest = length;
    }
    if (2 * shortest >= ns || rounds > (std::int64_t{1} << 40)) {
      return std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(rounds) * ns / shortest));
    }
  }
}

// "0 0000:3B:00.0": the number by which other tools choose it, and where it is.
std::string name_of(const gpu::Facts& card) {
  return std::to_string(card.index) + (card.bus.empty() ? "" : " " + card.bus);
}

}  // namespace

void measure(Check& check, const Form& form) {
  if (check.ranks() != 1) refuse("gpu_evenness runs as one rank that uses all cards; set --ranks 1");
  const std::vector<gpu::Facts> facts = form.cards();
  const int count = static_cast<int>(facts.size());
  const auto cards = form.make();
  std::vector<std::string> names;
  for (const gpu::Facts& card : facts) {
    names.push_back(name_of(card));
    cards->add(card.index);
  }
  check.card({facts[0].id.empty() ? facts[0].bus : facts[0].id, facts[0].name, count,
              gpu::numa_of_card(Tree("/"), facts[0].bus)},
             "");

  const std::int64_t rounds = rounds_for(*cards, count, 1e6 * check.parameters().real("launch_ms"));
  const double expected = chain(rounds);
  std::int64_t flop = 0;
  for (int card = 0; card < count; ++card) flop += cards->flop(card, rounds);
  const gpu::Monitor monitor;
  Series series(names);
  std::int64_t unlike = 0;
  const std::int64_t start = monotonic_ns();
  double last_reading = -reading_s;
  check.repeat([&](int repetition) {
    const double s = static_cast<double>(monotonic_ns() - start) / 1e9;
    {
      Section burn{this_check::section::burn, {.flop = flop}};
      for (int card = 0; card < count; ++card)
        cards->start(card, rounds, check.fault("slow_card") && card + 1 == count ? 2 : 1);
      if (repetition >= 0 && s - last_reading >= reading_s) {  // while all cards compute
        last_reading = s;
        for (int card = 0; card < count; ++card)
          series.reading(s, card, monitor.read(facts[static_cast<std::size_t>(card)].bus));
      }
      for (int card = 0; card < count; ++card) {
        const double ns = cards->ns(card);
        if (repetition >= 0) series.rate(s, card, static_cast<double>(cards->flop(card, rounds)) / ns);
      }
    }
    for (int card = 0; card < count; ++card) {
      const bool wrong = check.fault("wrong_sum") && card + 1 == count;
      unlike += cards->unlike(card, wrong ? expected + 1e-15 : expected);
    }
  });
  check.prove(this_check::validity::sums, static_cast<double>(unlike));
  for (int card = 0; card < count; ++card) {  // after the run: it may have brought errors to light
    series.health(card, monitor.health(facts[static_cast<std::size_t>(card)].bus));
  }
  for (const Table& table : series.tables()) check.table(table);
  check.value("cards", "1", count);
  check.value("rounds", "1", static_cast<double>(rounds));
  check.value("readable", "flag", monitor.missing().empty() ? 1 : 0);
}

}  // namespace tenken::gpu_evenness
