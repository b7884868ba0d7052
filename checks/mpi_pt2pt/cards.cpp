#include "cards.hpp"

#include <algorithm>

namespace mpi_pt2pt {

namespace {

std::vector<Interrupt> interrupts_of(const tenken::Tree& tree, const std::string& device) {
  std::vector<Interrupt> found;
  for (const std::string& name : tree.names(device + "/msi_irqs")) {
    const auto number = tenken::parse_number(name);
    if (!number) continue;
    const std::string folder = "/proc/irq/" + std::to_string(*number);
    std::vector<int> cpus = tree.cpus(folder + "/effective_affinity_list");
    if (cpus.empty()) cpus = tree.cpus(folder + "/smp_affinity_list");
    if (!cpus.empty()) found.push_back({static_cast<int>(*number), cpus.front()});
  }
  return found;
}

}  // namespace

std::vector<Card> cards_of(const tenken::Tree& tree) {
  std::vector<Card> cards;
  for (const std::string kind : {"/sys/class/infiniband", "/sys/class/net"}) {
    for (const std::string& name : tree.names(kind)) {
      const std::string device = kind + "/" + name + "/device";
      if (!tree.exists(device)) continue;  // loopback, bridges
      cards.push_back({tenken::printable(name), tree.cpus(device + "/local_cpulist"), interrupts_of(tree, device)});
    }
  }
  return cards;
}

tenken::Table near_table(const std::vector<Card>& cards, const std::vector<int>& cpus) {
  tenken::Table table{"near_card", "1", tenken::Better::higher, {}, {}, {}};
  for (const int cpu : cpus) table.columns.push_back(std::to_string(cpu));
  for (const Card& card : cards) {
    table.rows.push_back(card.name);
    for (const int cpu : cpus)
      table.values.emplace_back(std::find(card.near.begin(), card.near.end(), cpu) == card.near.end() ? 0.0 : 1.0);
  }
  return table;
}

tenken::Table interrupt_table(const std::vector<Card>& cards) {
  tenken::Table table{"card_interrupts", "1", tenken::Better::lower, {}, {"processor"}, {}};
  for (const Card& card : cards) {
    for (const Interrupt& one : card.interrupts) {
      table.rows.push_back(card.name + "/" + std::to_string(one.number));
      table.values.emplace_back(one.cpu);
    }
  }
  return table;
}

}  // namespace mpi_pt2pt
