#include "card_launch.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "closed_form.hpp"
#include "gpu/take_card.hpp"
#include "limits.hpp"
#include "measure/clock.hpp"
#include "this_check.hpp"
#include "work.hpp"

namespace stream {

namespace {

using namespace tenken;
namespace section = this_check::section;
namespace validity = this_check::validity;
using device::Array;

constexpr struct {
  Leaf leaf;
  Work (*work)(std::int64_t n);
} timed[device::sweeps] = {{section::copy, copy_work}, {section::scale, scale_work},
                           {section::add, add_work},   {section::triad, triad_work},
                           {section::read, read_work}, {section::driver_copy, copy_work}};

constexpr std::int64_t chunk = 1 << 20;  // elements that the host has at a time

// Calls work(begin, size) for each chunk of n elements.
template <class Each>
void in_chunks(std::int64_t n, const Each& work) {
  for (std::int64_t begin = 0; begin < n; begin += chunk) work(begin, std::min(chunk, n - begin));
}

// Refuses parameters of processors, which mean nothing on a card.
void refuse_processors(const Parameters& parameters) {
  if (parameters.integers("teams") != std::vector<std::int64_t>{1})
    refuse("--teams: variant 'cuda' works with the whole card; leave --teams out");
  if (parameters.text("page_size") != "base")
    refuse("--page_size " + parameters.text("page_size") + ": variant 'cuda' has no choice of pages; leave it out");
}

}  // namespace

void fill(device::Device& card, std::int64_t n) {
  std::vector<double> values(static_cast<std::size_t>(std::min(n, chunk)));
  const std::vector<double> zeros(values.size());
  in_chunks(n, [&](std::int64_t begin, std::int64_t size) {
    for (std::int64_t i = 0; i < size; ++i)
      values[static_cast<std::size_t>(i)] = start(static_cast<std::size_t>(begin + i));
    card.write(Array::a, begin, size, values.data());
    card.write(Array::b, begin, size, zeros.data());
    card.write(Array::c, begin, size, zeros.data());
    advanced();
  });
}

CardProof proof_of(const device::Device& card, std::int64_t n, int sweeps) {
  // A chain of additions: the elements of one accumulator of at least 256 threads, then those of threads and blocks.
  constexpr double accumulators = 8 * 256, combined = 64;
  const Growth expected = growth(sweeps);
  CardProof proof;
  std::vector<double> values(static_cast<std::size_t>(std::min(n, chunk)));
  const auto see = [&](Array array, double grown_by, std::int64_t begin, std::int64_t size) {
    card.read(values.data(), array, begin, size);
    for (std::int64_t i = 0; i < size; ++i) {
      const double right = grown_by * start(static_cast<std::size_t>(begin + i));
      raise(proof.error, std::abs(values[static_cast<std::size_t>(i)] - right) / right);
    }
  };
  in_chunks(n, [&](std::int64_t begin, std::int64_t size) {
    see(Array::a, expected.a, begin, size);
    see(Array::b, expected.b, begin, size);
    see(Array::c, expected.c, begin, size);
    see(Array::copied, expected.c, begin, size);
    advanced();
  });
  const double sum = sum_of_a(static_cast<std::size_t>(n), sweeps);
  proof.rounding = rounding_of(sweeps);
  proof.read_error = std::abs(card.sum() - sum) / sum;
  proof.read_rounding = proof.rounding + unit_roundoff * (static_cast<double>(n) / accumulators + combined);
  return proof;
}

void launch_on_card(Check& check, const device::Form& form) {
  const Parameters& parameters = check.parameters();
  refuse_processors(parameters);
  const std::int64_t size = parameters.integer("size"), n = size / 8;
  const auto card = form.make_device(gpu::take_card(check, form.cards()));
  const gpu::Facts facts = card->facts();
  const std::string fits = refusal_on_card(size, facts.name, facts.cache_bytes);
  if (!fits.empty() && !parameters.flag("in_cache")) refuse(fits);
  gpu::record_section_cost(check, facts.name, card->section_cost());  // subtracted nowhere
  card->allocate(n);
  fill(*card, n);

  const double ns_per_tick = Clock().ns_per_tick();
  int sweeps = 0;
  check.repeat([&](int) {
    MPI_Barrier(check.comm());  // cards share the power of the node, and some ranks a card
    const device::Times ns = card->sweep(n);
    ++sweeps;
    for (std::size_t k = 0; k < ns.size(); ++k)
      add_sample(timed[k].leaf, static_cast<std::int64_t>(ns[k] / ns_per_tick), timed[k].work(n));
  });

  const CardProof proof = proof_of(*card, n, sweeps);
  check.prove(validity::arrays, check.max_over_ranks(proof.error), closed_form_error + proof.rounding,
              "plus 4 u a sweep");
  check.prove(validity::read_sum, check.max_over_ranks(proof.read_error), closed_form_error + proof.read_rounding,
              "plus 4 u a sweep and u times the longest chain of additions");
  const double bytes = static_cast<double>(8 * n) * check.ranks();
  check.value("array_bytes", "B", device::arrays * bytes);
  check.value("working_set_bytes", "B", 3 * bytes);
  check.value("in_cache", "1", fits.empty() ? 0 : 1);
}

}  // namespace stream
