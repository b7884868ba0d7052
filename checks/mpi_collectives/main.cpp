#include <mpi.h>

#include <string>
#include <vector>

#include "algorithms.hpp"
#include "base/error.hpp"
#include "card_launch.hpp"
#include "device/nccl.hpp"
#include "launchers.hpp"
#include "measure/check.hpp"
#include "participants.hpp"
#include "round_trip.hpp"
#include "row.hpp"
#include "this_check.hpp"
#include "together.hpp"

namespace {

using namespace tenken;
using namespace this_check;
using namespace mpi_collectives;

void body(Check& check) {
  if constexpr (built::cuda) {
    constexpr device::Form on_card{device::on_card::cards, device::on_card::make_device};
    if (check.variant() == "cuda") return launch_on_cards(check, on_card, nullptr);
    if constexpr (built::nccl) {
      if (check.variant() == "nccl") return launch_on_cards(check, on_card, device::carried_by_nccl);
    }
  }
  require_own_launcher(check.ranks());
  const std::string operation = check.parameters().text("operation");
  const std::string among = check.parameters().text("among");
  require_taken(operation, check.parameters().text("algorithm"));
  // Anywhere: there each wait lasts until the scheduler turns, and no time is judged.
  const bool cores_shared = check.max_over_ranks(check.oversubscribed() ? 1 : 0) > 0;
  const Participants group(check.comm(), among);
  if (check.parameters().text("route") != "host")
    refuse("--route " + check.parameters().text("route") +
           " is between cards; take --variant cuda, or leave --route out");
  Together together(check, group, operation, offer_of_host(group));
  const auto in_row = [&](const char* name) { return among == "all" && (operation == "all" || operation == name); };
  Row row(check, in_row("allreduce"), in_row("barrier"), cores_shared);
  const int far = cores_shared ? 0 : far_rank(check.comm());
  const double ns_per_tick = Clock().ns_per_tick();
  const double before = round_trip_ns(check.comm(), far, ns_per_tick);
  check.repeat([&](int repetition) {
    row.pass();
    together.pass(repetition);
  });
  if (far > 0) {
    check.value("core_round_trip_before", "ns", before);
    check.value("core_round_trip_after", "ns", round_trip_ns(check.comm(), far, ns_per_tick));
  }
  together.prove_barrier();
  row.prove();
  together.report();
  check.value("nodes", "1", group.nodes());
  const std::vector<std::int64_t> messages = check.parameters().integers("messages");
  if (messages.size() == 1) check.value("message_bytes", "B", static_cast<double>(messages.front()));
}

}  // namespace

int main(int argc, char** argv) {
  mpi_collectives::choose_as_asked(argc, argv);
  return run_check(argc, argv, table, body);
}
