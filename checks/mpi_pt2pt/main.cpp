#include "base/error.hpp"
#include "card_launch.hpp"
#include "core_round_trip.hpp"
#include "eager.hpp"
#include "measure/check.hpp"
#include "pairs.hpp"
#include "patterns.hpp"
#include "scan.hpp"
#include "sit_down.hpp"
#include "this_check.hpp"
#include "wrong.hpp"

namespace {
using namespace tenken;
using namespace mpi_pt2pt;

void body(Check& check) {
  const bool scanned = check.parameters().flag("scan");
  const bool seated = check.parameters().text("sockets") != "as_placed";
  require_two_ranks(check);
  if constexpr (this_check::built::cuda) {
    constexpr device::Form on_card{device::on_card::cards, device::on_card::make_device};
    if (check.variant() == "cuda") return launch_on_cards(check, on_card);
  }
  if ((scanned || seated) && check.ranks() != 2) refuse("--scan and --sockets are for two ranks; set --ranks 2");
  if (scanned && seated) refuse("--scan visits all cores; leave out --sockets");
  sit_down(check);
  const Way way = way_of(check.variant());
  const int partner = partner_of(check.rank(), check.ranks(), check.parameters().text("pairing") == "halves");
  CoreRoundTrip cores(check.comm(), partner);
  const auto probe = [&](const char* name) {
    if (cores.shared() && !check.oversubscribed()) check.value(name, "ns", cores.nanoseconds());
  };
  const auto measure = [&](auto& parts, const auto& pass) {
    probe("core_round_trip_before");
    check.repeat(pass);
    probe("core_round_trip_after");
    prove_payload(check, parts.wrong());
  };
  if (scanned) {
    Scan scan(check, way);
    measure(scan, [&](int repetition) { scan.pass(repetition >= 0); });
    scan.report();
  } else {
    Patterns patterns(check, partner, way);
    measure(patterns, [&](int) { patterns.pass(); });
    find_eager_limit(check, partner);
    check.value("idle_ranks", "1", check.ranks() % 2);
  }
  check.value("pairs_on_one_node", "1", check.sum_over_ranks(cores.shared() ? 0.5 : 0));
}
}  // namespace

int main(int argc, char** argv) { return run_check(argc, argv, this_check::table, body); }
