// The stand-in of the runtime on the host, sentences of errors, choice of a card.
#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "gpu/buffers.hpp"
#include "gpu/facts.hpp"
#include "gpu/stopwatch.hpp"
#include "gpu/trouble.hpp"

using namespace tenken;
using namespace tenken::gpu;

namespace {

template <class Call>
std::pair<ExitCode, std::string> refusal(const Call& call) {
  try {
    call();
  } catch (const UserError& error) {
    return {error.code(), error.what()};
  }
  return {ExitCode::ok, ""};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("buffers return their memory, and values survive both copies") {
  const std::vector<double> values{1, -2, 3.5};
  {
    CardBuffer<double> card(3, "a test");
    CHECK(stand_in().in_use == 24);
    card.from_host(values.data());
    CardBuffer<double> other = std::move(card);
    CHECK(card.data() == nullptr);
    PinnedBuffer<double> back(3, "a test");
    other.to_host(back.data());
    for (std::size_t i = 0; i < 3; ++i) CHECK(back[i] == values[i]);
    other.clear();
    other.to_host(back.data());
    for (std::size_t i = 0; i < 3; ++i) CHECK(back[i] == 0);
  }
  CHECK(stand_in().in_use == 0);
  CHECK(CardBuffer<double>(0, "a test").data() == nullptr);
}

TEST_CASE("an allocation that does not fit names card, bytes, purpose and free memory") {
  const CardBuffer<char> taken(std::size_t{1} << 29, "a test");
  const auto [code, text] = refusal([] { CardBuffer<double>(std::size_t{1} << 27, "an array"); });
  CHECK(code == ExitCode::impossible);
  CHECK(contains(text, "GPU 0 (host): allocation of 1073741824 bytes for an array failed"));
  CHECK(contains(text, "512 MiB of 1024 MiB are free"));
}

TEST_CASE("every trouble of a card has its sentence and its exit code") {
  Facts card;
  card.index = 2;
  card.name = "NVIDIA X";
  card.major = 7;
  card.driver = 11080;
  card.runtime = 12040;
  const struct {
    Trouble trouble;
    ExitCode code;
    std::string part;
  } expected[] = {
      {Trouble::no_card, ExitCode::lacking, "no device: the CUDA driver reports none"},
      {Trouble::old_driver, ExitCode::lacking,
       "the CUDA driver supports CUDA 11.8, and this program was built with CUDA 12.4"},
      {Trouble::not_available, ExitCode::lacking, "GPU 2 (NVIDIA X) is not available: another process"},
      {Trouble::no_code, ExitCode::lacking, "has no code for it; build again with CUDAARCHS=70"},
      {Trouble::no_memory, ExitCode::impossible, "GPU 2 (NVIDIA X): call failed: message; 0 MiB of 0 MiB are free"},
      {Trouble::memory_error, ExitCode::impossible, "cannot be corrected"},
      {Trouble::lost, ExitCode::impossible, "does not answer"},
      {Trouble::other, ExitCode::impossible, "GPU 2 (NVIDIA X): call failed: message"},
  };
  for (const auto& one : expected) {
    const auto refused = refusal([&] { raise(one.trouble, card, "call", "message"); });
    CHECK(refused.first == one.code);
    CHECK_MESSAGE(contains(refused.second, one.part), refused.second);
  }
  CHECK(sentence(Trouble::old_driver, Facts{}, "", "").find("no device: no CUDA driver is installed") == 0);
}

TEST_CASE("errors of copies, launches and the choice of a card are reported") {
  CardBuffer<int> card(4, "a test");
  const int values[4] = {1, 2, 3, 4};
  stand_in().next = Trouble::memory_error;
  CHECK(contains(refusal([&] { card.from_host(values); }).second, "copy of 16 bytes failed: planted"));
  stand_in().next = Trouble::lost;
  CHECK(refusal([] { wait(); }).first == ExitCode::impossible);
  CHECK(refusal([] { use(1); }).first == ExitCode::lacking);
  stand_in().card.count = 0;
  CHECK(refusal([] { count(); }).first == ExitCode::lacking);
  stand_in().card.count = 3;
  use(2);
  CHECK(facts().index == 2);
  CHECK(count() == 3);
}

TEST_CASE("a stopwatch measures its section, and its cost is measured") {
  Stopwatch watch;
  watch.start();
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(2)) {
  }
  watch.stop();
  CHECK(watch.ns() >= 2e6);
  const SectionCost cost = section_cost(3, 1);
  CHECK(cost.host_ns > 0);
  CHECK(cost.card_ns >= 0);
  CHECK(cost.ratio > 0);
}
