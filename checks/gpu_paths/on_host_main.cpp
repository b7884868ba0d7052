// The program of this check with several made-up cards, whose memory is memory of the host: for tests where no card is.
#include <cstdlib>

#include "gpu/runtime.hpp"
#include "measure_paths.hpp"
#include "this_check.hpp"

namespace {

void body(tenken::Check& check) {
  const char* cards = std::getenv("FAKE_CARDS");
  tenken::gpu::stand_in().card.count = cards == nullptr ? 4 : std::atoi(cards);
  constexpr tenken::gpu_paths::Form on_host{tenken::gpu_paths::on_host::cards, tenken::gpu_paths::on_host::make};
  tenken::gpu_paths::measure(check, on_host);
}

}  // namespace

int main(int argc, char** argv) {
  // Built here, with or without a compiler for cards.
  static constexpr tenken::VariantSpec variants[] = {{"cuda", "", false}};
  tenken::CheckTable table = this_check::table;
  table.variants = variants;
  return tenken::run_check(argc, argv, table, body);
}
