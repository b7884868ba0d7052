#include "card_launch.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "agree.hpp"
#include "base/error.hpp"
#include "card_lane.hpp"
#include "curve.hpp"
#include "gpu/device_pointers.hpp"
#include "gpu/take_card.hpp"
#include "pairs.hpp"
#include "peer_lane.hpp"
#include "this_check.hpp"
#include "wrong.hpp"

namespace mpi_pt2pt {

namespace {

using namespace tenken;

constexpr std::size_t longest_id = 128;
using CardId = std::array<char, longest_id>;

// Refuses parameters of processors, which mean nothing between cards.
void refuse_processors(const Parameters& parameters) {
  if (parameters.flag("scan")) refuse("--scan visits processors; leave it out with variant 'cuda'");
  if (parameters.text("sockets") != "as_placed") {
    refuse("--sockets: variant 'cuda' takes cards near to where ranks are placed; leave --sockets out");
  }
}

CardId id_of(const gpu::Facts& card) {
  CardId id{};
  (card.id.empty() ? card.bus : card.id).copy(id.data(), longest_id - 1);
  return id;
}

// The number of the partner's card among those of this process. Collective: lacking on all ranks where the lower rank
// of any pair cannot use the card of its partner.
int card_of_partner(const Check& check, const std::vector<gpu::Facts>& cards, int own, int partner) {
  const CardId mine = id_of(cards[static_cast<std::size_t>(own)]);
  CardId theirs{};
  int found = -1;
  std::string problem;
  if (partner != nobody) {
    MPI_Sendrecv(mine.data(), longest_id, MPI_CHAR, partner, 0, theirs.data(), longest_id, MPI_CHAR, partner, 0,
                 check.comm(), MPI_STATUS_IGNORE);
    for (std::size_t i = 0; i < cards.size(); ++i) {
      if (id_of(cards[i]) == theirs) found = static_cast<int>(i);
    }
    if (found < 0 && check.rank() < partner) {
      problem = "--route peer: rank " + std::to_string(check.rank()) + " cannot use card " + theirs.data() +
                " of its partner, rank " + std::to_string(partner) +
                "; both cards must be on its node and among its visible cards (CUDA_VISIBLE_DEVICES), or take " +
                "--route device";
    }
  }
  agree(check.comm(), ExitCode::lacking, problem);
  return found;
}

// Both cards of a pair, where the lower rank copies.
struct Peers {
  Peers(Check& check, const device::Form& form, const std::vector<gpu::Facts>& cards, device::Device& own,
        int partner) {
    const int number = card_of_partner(check, cards, own.number(), partner);
    const bool copies = partner != nobody && check.rank() < partner;
    if (copies) other = form.make_device(number);
    own.select();
    const bool over_host = copies && !own.connect(*other);
    check.value("pairs_over_host", "1", check.sum_over_ranks(over_host ? 1 : 0));
  }
  std::unique_ptr<device::Device> other;
};

}  // namespace

void launch_on_cards(Check& check, const device::Form& form) {
  const Parameters& parameters = check.parameters();
  require_two_ranks(check);
  refuse_processors(parameters);
  const Route route = route_of(parameters.text("route"));
  const std::vector<gpu::Facts> cards = form.cards();
  const auto card = form.make_device(gpu::take_card(check, cards));
  const bool refused = check.fault("no_device_pointers");
  if (route == Route::device && (refused || !card->memory_of_host())) {
    gpu::require_device_pointers(check, "take --route staged", refused);
  }
  gpu::record_section_cost(check, card->facts().name, card->section_cost());
  const int partner = partner_of(check.rank(), check.ranks(), parameters.text("pairing") == "halves");
  std::unique_ptr<Peers> peers;
  if (route == Route::peer) peers = std::make_unique<Peers>(check, form, cards, *card, partner);

  WrongPlace place;
  const MakeMessages make = [&](std::int64_t size) -> std::unique_ptr<Messages> {
    if (peers) return std::make_unique<PeerLane>(check.comm(), partner, size, *card, peers->other.get(), place);
    return std::make_unique<CardLane>(check.comm(), partner, size, *card, route == Route::staged, place);
  };
  Curve curve(
      check, partner, make,
      {this_check::section::card_exchange, this_check::section::card_one_way, this_check::section::card_both_ways});
  check.repeat([&](int) { curve.pass(); });
  prove_payload(check, curve.wrong(), &place);
  check.value("idle_ranks", "1", check.ranks() % 2);
}

}  // namespace mpi_pt2pt
