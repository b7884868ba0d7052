#include "sections.hpp"

#include <optional>
#include <string_view>

#include "measure/section.hpp"
#include "this_check.hpp"
#include "xacc_embed.h"

int xacc_lqcd_nodes_z = 1;
int xacc_lqcd_packed = 0;
void (*xacc_lqcd_told)(const char*, int) = nullptr;

namespace tenken::xacc_lqcd {

namespace {

namespace section = this_check::section;

struct State {
  Work operation, halo, combination, product, norm, sum;
  int vectors = 0;  // operations of this iteration so far
};
std::optional<State> state;
std::optional<Section> open;

const Work& next_vector() {
  switch (state->vectors++) {
    case 0:
      return state->product;
    case 3:
      return state->norm;
    default:
      return state->combination;
  }
}

void told(const char* name, int begins) {
  if (!state) return;
  if (!begins) return open.reset();
  const std::string_view which = name;
  if (which == "operator") open.emplace(section::solve_operator, state->operation);
  if (which == "reflect") open.emplace(section::solve_reflect, state->halo);
  if (which == "vector") open.emplace(section::solve_vector, next_vector());
  if (which == "reduction") open.emplace(section::solve_reduction, state->sum);
}

}  // namespace

Timed::Timed(const Block& block, int ranks_t, int ranks_z) {
  state =
      State{operator_work(block),   reflect_work(block, ranks_t, ranks_z), combine_work(block), product_work(block, 2),
            product_work(block, 1), reduction_work(ranks_t * ranks_z)};
}
Timed::~Timed() { state.reset(); }

void listen() {
  xacc_sections_named(told);
  xacc_lqcd_told = told;
}

}  // namespace tenken::xacc_lqcd
