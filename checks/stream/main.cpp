#include <algorithm>
#include <vector>

#include "arrays.hpp"
#include "card_launch.hpp"
#include "closed_form.hpp"
#include "limits.hpp"
#include "measure/check.hpp"
#include "team.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace {
using namespace tenken;
using namespace this_check;
using stream::Arrays;

constexpr struct {
  Leaf leaf;
  Work (*work)(std::int64_t n);
  void (Arrays::*run)(const stream::Kernels&, stream::Stretch);
} sweeps[] = {{section::copy, stream::copy_work, &Arrays::copy},
              {section::scale, stream::scale_work, &Arrays::scale},
              {section::add, stream::add_work, &Arrays::add},
              {section::triad, stream::triad_work, &Arrays::triad},
              {section::read, stream::read_work, &Arrays::read}};

void body(Check& check) {
  if constexpr (built::cuda) {
    constexpr stream::device::Form on_card{stream::device::on_card::cards, stream::device::on_card::make_device};
    if (check.variant() == "cuda") return stream::launch_on_card(check, on_card);
  }
  const Parameters& p = check.parameters();
  const stream::Kernels& kernels = check.variant() == "plain" ? stream::plain() : stream::nontemporal();
  const std::vector<std::int64_t> teams = p.integers("teams");
  const std::int64_t size = p.integer("size");
  const bool in_cache = stream::require_sizes(size, p.flag("in_cache"), check.node_ranks(), teams, check.threads());
  const double bytes = 3.0 * static_cast<double>(size);
  const int passes = stream::passes_over(size, in_cache);
  check.require_memory(bytes * static_cast<double>(teams.size()), "stream");

  std::vector<Arrays> arrays;  // a set for each team, near its threads
  for (const std::int64_t team : teams)
    arrays.emplace_back(size / 8, pages_from(p.text("page_size")), check.threads(), team, passes);

  std::vector<int> stretches;
  for (const std::int64_t team : teams) stretches.push_back(stream::stretches(size / 8, team));
  check.repeat([&](int repetition) {
    if (repetition < 0) check.split(*std::max_element(stretches.begin(), stretches.end()));
    for (std::size_t t = 0; t < teams.size(); ++t) {
      for (const auto& sweep : sweeps) {
        for (stream::Stretch stretch{0, stretches[t]}; stretch.k < stretch.of; ++stretch.k) {
          const auto n = static_cast<std::int64_t>(arrays[t].elements(stretch));
          check.part(stretch.k);
          MPI_Barrier(check.comm());  // the ranks share the memory, so they sweep at the same time
          Section s{sweep.leaf, static_cast<int>(t), sweep.work(n * passes), passes};
          (arrays[t].*sweep.run)(kernels, stretch);
        }
      }
    }
  });

  stream::Proof worst;
  for (const Arrays& set : arrays) worst.add(set);
  check.prove(validity::arrays, check.max_over_ranks(worst.error), stream::closed_form_error + worst.rounding,
              "plus 4 u a sweep");
  check.prove(validity::read_sum, check.max_over_ranks(worst.read_error),
              stream::closed_form_error + worst.read_rounding, "plus 4 u a sweep and u n / accumulators");
  check.value("huge_bytes", "B", check.sum_over_ranks(static_cast<double>(worst.huge_bytes)));
  check.value("array_bytes", "B", bytes * static_cast<double>(teams.size()) * check.ranks());
  check.value("working_set_bytes", "B", bytes * check.ranks());
  check.value("in_cache", "1", in_cache ? 1 : 0);
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, table, body); }
