#include "measure/section.hpp"

#include <doctest/doctest.h>

#include <array>
#include <memory>

#include "measure/open_sections.hpp"
#include "measure/own_sample.hpp"
#include "measure/phase_sections.hpp"

#if TENKEN_SECTIONS

using namespace tenken;

namespace {

constexpr Work some = {.flop = 10, .bytes_read = 20, .bytes_written = 30, .messages = 4};
// A list of two values is two sections side by side, as in a page.
constexpr std::array<SectionSpec, 5> sections = {{{"whole", Kind::compute, false, ""},
                                                  {"part", Kind::compute, true, ""},
                                                  {"list/8", Kind::comm, true, ""},
                                                  {"list/64", Kind::comm, true, ""},
                                                  {"last", Kind::compute, true, ""}}};

CheckTable made_table() {
  CheckTable table{};
  table.sections = sections;
  return table;
}

struct Opened : OpenSections {
  Opened() : OpenSections(made_table()) {}
};

bool has(const Cell& cell, std::int64_t calls, const Work& work) {
  return cell.calls == calls && Work{cell.flop, cell.bytes_read, cell.bytes_written, cell.messages} == work;
}

}  // namespace

TEST_CASE("a section of a batch counts all calls of the batch, and its work once") {
  const Opened open;
  { Section batch{Leaf{1}, 0, some, 250}; }
  CHECK(has(open.cell(1), 250, some));
  { Section batch{Leaf{2}, 1, some, 3}; }
  { Section batch{Leaf{2}, 1, some, 4}; }
  CHECK(has(open.cell(3), 7, {20, 40, 60, 8}));
  CHECK(has(open.cell(2), 0, {}));
  { Section one{Leaf{2}, 0, some}; }
  CHECK(has(open.cell(2), 1, some));
}

TEST_CASE("a section takes the ticks from its opening to its end") {
  const Opened open;
  const std::int64_t before = ticks_now();
  std::int64_t inside = 0;
  {
    Section timed{Leaf{4}};
    const std::int64_t start = ticks_now();
    while (ticks_now() - start < 100000) {
    }
    inside = ticks_now() - start;
  }
  CHECK(open.cell(4).ticks >= inside);
  CHECK(open.cell(4).ticks <= ticks_now() - before);
  const std::int64_t first = open.cell(4).ticks;
  { Section again{Leaf{4}}; }
  CHECK(open.cell(4).ticks >= first);
}

TEST_CASE("samples of threads and samples of one's own are added as they are told") {
  const Opened open;
  add_sample(Leaf{1}, 100, some);
  add_sample(Leaf{1}, 11, some);
  CHECK(has(open.cell(1), 2, {20, 40, 60, 8}));
  CHECK(open.cell(1).ticks == 111);
  {
    const Section whole{Group{0}};
    {
      OwnSample sample{Leaf{2}, 1};
      CHECK(open.shown() == 3);
      sample.add(70, some);
      sample.add(7, {.flop = 1});
    }
    CHECK(open.shown() == 0);
    const OwnSample none{Leaf{2}};
    CHECK(open.shown() == 2);
  }
  CHECK(open.shown() == -1);
  CHECK(has(open.cell(3), 2, {11, 20, 30, 4}));
  CHECK(open.cell(3).ticks == 77);
  CHECK(has(open.cell(2), 0, {}));
}

TEST_CASE("every sample is a step that the page shows, and so is what a search says of itself") {
  advanced();  // outside of a check: nothing
  const Opened open;
  CHECK(open.steps() == 0);
  {
    const Section whole{Group{0}};
    { Section part{Leaf{1}, 0, some, 250}; }
    CHECK(open.steps() == 1);
    OwnSample sample{Leaf{2}};
    sample.add(1, some);
    add_sample(Leaf{4}, 1, some);
    CHECK(open.steps() == 3);
  }
  CHECK(open.steps() == 4);
  advanced();
  CHECK(open.steps() == 5);
}

TEST_CASE("phases of an iteration are parts of it; the first call of a phase carries the work of all") {
  enum class Phase { iteration, sweep, sum };
  const Opened open;
  const Work sweep{.flop = 5}, sum{.flop = 7, .messages = 1};
  // Through the pointer that a solver has, so that GCC 12 does not take what is empty for what is not initialised.
  const std::unique_ptr<Watch<Phase>> phases(
      new PhaseSections<Phase, 3>(Group{0}, {Leaf{1}, Leaf{4}}, {Work{}, sweep, sum}));
  for (int iteration = 1; iteration <= 2; ++iteration) {
    phases->enter(Phase::iteration);
    CHECK(open.shown() == 0);
    for (int i = 0; i < 3; ++i) {
      phases->enter(Phase::sweep);
      CHECK(open.shown() == 1);
      phases->leave(Phase::sweep);
      CHECK(open.shown() == 0);
    }
    phases->enter(Phase::sum);
    CHECK(open.shown() == 4);
    phases->leave(Phase::sum);
    phases->leave(Phase::iteration);
    CHECK(open.shown() == -1);
    CHECK(has(open.cell(0), iteration, {}));
    CHECK(has(open.cell(1), 3 * iteration, {.flop = 5 * iteration}));
    CHECK(has(open.cell(4), iteration, {.flop = 7 * iteration, .messages = iteration}));
  }
}

TEST_CASE("sections opened for a test count the work of all of them, and are closed with it") {
  {
    Opened open;
    CHECK(open.work() == Work{});
    { Section a{Leaf{1}, some}; }
    { Section b{Leaf{4}, some}; }
    CHECK(open.work() == Work{20, 40, 60, 8});
  }
  CHECK(detail::live.row == nullptr);
}

#endif
