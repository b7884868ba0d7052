#include "measure_paths.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "gpu/choice.hpp"
#include "gpu/link.hpp"
#include "measure/clock.hpp"
#include "measure/memory.hpp"
#include "measure/record.hpp"
#include "this_check.hpp"
#include "words.hpp"

namespace tenken::gpu_paths {

namespace {

using namespace this_check;

// ns of the samples of each cell of a matrix.
class Cells {
 public:
  Cells(std::size_t rows, std::size_t columns) : columns_(columns), ns_(rows * columns) {}

  void add(int row, int column, double ns) {
    ns_[static_cast<std::size_t>(row) * columns_ + static_cast<std::size_t>(column)].push_back(ns);
  }
  // `of` the median of each cell; empty where nothing was measured.
  std::vector<std::optional<double>> medians(const std::function<double(double)>& of) const {
    std::vector<std::optional<double>> found;
    for (std::vector<double> ns : ns_) {
      if (ns.empty()) {
        found.emplace_back();
        continue;
      }
      std::nth_element(ns.begin(), ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 2), ns.end());
      found.emplace_back(of(ns[ns.size() / 2]));
    }
    return found;
  }

 private:
  std::size_t columns_;
  std::vector<std::vector<double>> ns_;
};

enum Path { to_card, to_host, both_ways, to_card_pageable, to_host_pageable };
const std::vector<std::string> path_names = {"to card", "to host", "both", "to card, pageable", "to host, pageable"};

class Measurement {
 public:
  Measurement(Check& check, Cards& cards, int count)
      : check_(check),
        cards_(cards),
        count_(count),
        words_(static_cast<std::size_t>(check.parameters().integer("size")) / sizeof(std::uint64_t)),
        paths_(n(), path_names.size()),
        pairs_(n(), n()),
        exchanges_(n(), n()),
        launches_(n(), 1) {
    for (int card = 0; card < count_; ++card) {
      for (const Host kind : {Host::pinned, Host::pageable}) {
        write(cards_.source(card, kind), words_, 0);
        write(cards_.target(card, kind), words_, 0);
      }
    }
  }

  void pass(bool timed) {
    timed_ = timed;
    for (int card = 0; card < count_; ++card) paths_of(card);
    all_at_once();
    for (int from = 0; from < count_; ++from) {
      for (int to = 0; to < count_; ++to) between(from, to);
    }
  }

  std::int64_t wrong_words() const { return wrong_; }

  void tables(const std::vector<std::string>& names) {
    const double bytes = static_cast<double>(words_ * sizeof(std::uint64_t));
    const auto rate = [&](double ns) { return bytes / ns; };
    auto rates = paths_.medians(rate);
    for (std::size_t card = 0; card < n(); ++card) {
      if (auto& both = rates[card * path_names.size() + both_ways]) *both *= 2;
    }
    check_.table({"paths", "GB/s", Better::higher, names, path_names, std::move(rates), tenken::Form::figures});
    check_.table({"latency",
                  "us",
                  Better::lower,
                  names,
                  {"launch"},
                  launches_.medians([](double ns) { return ns / 1e3; }),
                  tenken::Form::figures});
    if (count_ < 2) return;
    check_.table({"pairs", "GB/s", Better::higher, names, names, pairs_.medians(rate)});
    check_.table({"exchanges", "GB/s", Better::higher, names, names,
                  exchanges_.medians([&](double ns) { return 2 * bytes / ns; })});
    std::vector<std::optional<double>> ranks;
    for (int from = 0; from < count_; ++from) {
      for (int to = 0; to < count_; ++to)
        ranks.push_back(from == to ? std::nullopt : std::optional<double>(cards_.peer_rank(from, to)));
    }
    check_.table({"peers", "1", Better::higher, names, names, std::move(ranks), tenken::Form::figures});
  }

 private:
  std::size_t n() const { return static_cast<std::size_t>(count_); }

  // ns of what `work` does inside of a section, `copies` copies of the size.
  template <class Body>
  double time(Leaf section, int copies, const Body& body) {
    const auto bytes = static_cast<std::int64_t>(words_ * sizeof(std::uint64_t)) * copies;
    const std::int64_t start = monotonic_ns();
    {
      Section s{section, {.bytes_read = bytes}};
      body();
    }
    return static_cast<double>(monotonic_ns() - start);
  }

  void add(Cells& to, int row, int column, double ns) {
    if (timed_) to.add(row, column, ns);
  }

  void expect(int card, Host kind, std::uint64_t seed) { wrong_ += wrong(cards_.target(card, kind), words_, seed); }

  void paths_of(int card) {
    const bool slow = check_.fault("slow_card") && card + 1 == count_;
    for (const Host kind : {Host::pinned, Host::pageable}) {
      const bool pinned = kind == Host::pinned;
      const std::uint64_t seed = ++seed_;
      renew(cards_.source(card, kind), words_, seed);
      add(paths_, card, pinned ? to_card : to_card_pageable,
          time(pinned ? section::to_card : section::to_card_pageable, 1, [&] {
            for (int copies = slow ? 2 : 1; copies > 0; --copies) cards_.to_card(card, kind);
          }));
      add(paths_, card, pinned ? to_host : to_host_pageable,
          time(pinned ? section::to_host : section::to_host_pageable, 1, [&] { cards_.to_host(card, kind); }));
      if (check_.fault("wrong_byte") && card + 1 == count_) cards_.target(card, kind)[words_ / 2] ^= 0x10000;
      expect(card, kind, seed);
      if (!pinned) continue;
      const std::uint64_t second = ++seed_;
      renew(cards_.source(card, kind), words_, second);
      add(paths_, card, both_ways, time(section::both, 2, [&] { cards_.both(card); }));
      expect(card, kind, seed);
      cards_.fetch(card);
      expect(card, kind, second);
    }
    add(launches_, card, 0, time(section::launch, 0, [&] { cards_.launch(card); }));
  }

  // Afterwards the first block of each card has the words of the seed of that card.
  void all_at_once() {
    first_.assign(n(), 0);
    for (int card = 0; card < count_; ++card) {
      first_[static_cast<std::size_t>(card)] = ++seed_;
      renew(cards_.source(card, Host::pinned), words_, seed_);
    }
    time(section::all_to_card, count_, [&] { cards_.all_to_card(); });
    time(section::all_to_host, count_, [&] { cards_.all_to_host(); });
    for (int card = 0; card < count_; ++card) expect(card, Host::pinned, first_[static_cast<std::size_t>(card)]);
  }

  void between(int from, int to) {
    if (from == to) return;
    add(pairs_, from, to, time(section::between, 1, [&] { cards_.between(from, to); }));
    arrived(to, from);
    if (from > to) return;
    const double ns = time(section::exchange, 2, [&] { cards_.exchange(from, to); });
    add(exchanges_, from, to, ns);
    add(exchanges_, to, from, ns);
    arrived(to, from);
    arrived(from, to);
  }

  void arrived(int at, int from) {
    cards_.fetch(at);
    expect(at, Host::pinned, first_[static_cast<std::size_t>(from)]);
  }

  Check& check_;
  Cards& cards_;
  int count_;
  std::size_t words_;
  Cells paths_, pairs_, exchanges_, launches_;
  std::vector<std::uint64_t> first_;  // seed of the words in the first block of each card
  std::uint64_t seed_ = 0;
  std::int64_t wrong_ = 0;
  bool timed_ = false;
};

// "0 0000:3B:00.0": the number by which other tools choose it, and where it is.
std::string name_of(const gpu::Facts& card) {
  return std::to_string(card.index) + (card.bus.empty() ? "" : " " + card.bus);
}

// A link without traffic may have been slowed: to be called right after copies.
Table links(const std::vector<gpu::Facts>& facts, const std::vector<std::string>& names) {
  Table table{"links",
              "1",
              Better::higher,
              names,
              {"lanes", "lanes at most", "GT/s", "GT/s at most"},
              {},
              tenken::Form::figures};
  for (const gpu::Facts& card : facts) {
    const gpu::Link link = gpu::link_of(Tree("/"), card.bus);
    table.values.insert(table.values.end(), {link.lanes, link.most_lanes, link.speed, link.most_speed});
  }
  return table;
}

}  // namespace

void measure(Check& check, const Form& form) {
  if (check.ranks() != 1) refuse("gpu_paths runs as one rank that uses all cards; set --ranks 1");
  const std::vector<gpu::Facts> facts = form.cards();
  const auto size = static_cast<std::size_t>(check.parameters().integer("size"));
  if (size % sizeof(std::uint64_t) != 0) refuse("--size " + std::to_string(size) + ": a multiple of 8 bytes is needed");
  check.require_memory(4.0 * static_cast<double>(size * facts.size()), "gpu_paths");
  const auto cards = form.make(size / sizeof(std::uint64_t));
  std::vector<std::string> names;
  for (const gpu::Facts& card : facts) {
    names.push_back(name_of(card));
    const int numa = gpu::numa_of_card(Tree("/"), card.bus);
    if (numa >= 0) take_pages_from({numa});  // a card is attached to one socket; where that is refused, any memory does
    cards->add(card.index);
    take_pages_from({});
  }
  const bool apart = check.fault("peer_off") && facts.size() > 1;
  cards->connect(apart ? facts[0].index : -1, apart ? facts[1].index : -1);
  const gpu::Facts& first = facts.front();
  check.card({first.id.empty() ? first.bus : first.id, first.name, static_cast<int>(facts.size()),
              gpu::numa_of_card(Tree("/"), first.bus)},
             "");

  Measurement measurement(check, *cards, static_cast<int>(facts.size()));
  check.repeat([&](int repetition) { measurement.pass(repetition >= 0); });
  check.prove(validity::bytes, static_cast<double>(measurement.wrong_words()));
  cards->all_to_card();
  check.table(links(facts, names));
  measurement.tables(names);
  check.value("cards", "1", static_cast<double>(facts.size()));
}

}  // namespace tenken::gpu_paths
