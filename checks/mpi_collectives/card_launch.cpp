#include "card_launch.hpp"

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "gpu/device_pointers.hpp"
#include "gpu/take_card.hpp"
#include "launchers.hpp"
#include "participants.hpp"
#include "rank_tables.hpp"
#include "this_check.hpp"
#include "together.hpp"

namespace mpi_collectives {

namespace {

using namespace tenken;

// Refuses parameters that mean nothing between cards.
void refuse_others(const Parameters& parameters, bool library) {
  const std::string route = parameters.text("route");
  if (route == "host") refuse("--route host is of variant 'blocking'; between cards take --route device or staged");
  if (library && route != "device") refuse("--route " + route + ": NCCL gets addresses of cards; take --route device");
  if (parameters.text("algorithm") != "library")
    refuse("--algorithm: between cards the library chooses; leave --algorithm out");
  const std::string operation = parameters.text("operation");
  if (operation != "all" && operation != "allreduce" && operation != "alltoall")
    refuse("--operation " + operation + ": between cards take allreduce, alltoall or all");
}

// NCCL refuses two ranks on a card. Collective: lacking on all ranks where any two share one.
void require_own_cards(const Check& check, const gpu::Facts& card) {
  using Id = std::array<char, 128>;
  Id mine{};
  (card.id.empty() ? card.bus : card.id).copy(mine.data(), mine.size() - 1);
  std::vector<Id> all(static_cast<std::size_t>(check.ranks()));
  MPI_Allgather(mine.data(), sizeof mine, MPI_CHAR, all.data(), sizeof mine, MPI_CHAR, check.comm());
  std::vector<std::string> ids;
  for (const Id& id : all) ids.emplace_back(id.data());
  const std::string shared = gpu::sharing(ids);
  if (!shared.empty())
    lacking(shared + ", and NCCL needs a card for each rank; start fewer ranks, or take variant 'cuda'");
}

Offer offer_of_cards(MPI_Comm comm, const OnCard& on) {
  using namespace this_check;
  return {{{Kind::allreduce, section::card_allreduce, &validity::card_allreduce},
           {Kind::alltoall, section::card_alltoall, &validity::card_alltoall}},
          [comm, on](Kind kind, std::int64_t bytes) { return make_card_operation(kind, comm, bytes, on); },
          false};
}

}  // namespace

void launch_on_cards(Check& check, const device::Form& form, CarriedBy library) {
  require_own_launcher(check.ranks());
  const Parameters& parameters = check.parameters();
  refuse_others(parameters, library != nullptr);
  const std::vector<gpu::Facts> cards = form.cards();
  const int number = gpu::take_card(check, cards);
  const auto card = form.make_device(number);
  const bool staged = parameters.text("route") == "staged";
  const bool refused = check.fault("no_device_pointers");
  if (library != nullptr) {
    require_own_cards(check, cards[static_cast<std::size_t>(number)]);
  } else if (!staged && (refused || !card->memory_of_host())) {
    gpu::require_device_pointers(check, "take --route staged", refused);
  }
  gpu::record_section_cost(check, card->facts().name, card->section_cost());
  const Participants group(check.comm(), parameters.text("among"));
  std::unique_ptr<Carrier> carrier;
  if (group.takes_part()) carrier = library != nullptr ? library(group.comm(), *card) : carried_by_mpi(group.comm());
  WrongPlace place;
  Together together(check, group, parameters.text("operation"),
                    offer_of_cards(group.comm(), {*card, carrier.get(), staged, place}));
  check.repeat([&](int repetition) { together.pass(repetition); });
  together.report();
  check.table(gather_rows(check, "wrong_place", "1", {"size", "word"},
                          {static_cast<double>(place.size), static_cast<double>(place.word)}));
  check.value("nodes", "1", group.nodes());
  const std::vector<std::int64_t> messages = parameters.integers("messages");
  if (messages.size() == 1) check.value("message_bytes", "B", static_cast<double>(messages.front()));
}

}  // namespace mpi_collectives
