// Each function writes one key of the node object (schema/machine.schema.json). What cannot be read is null.
#pragma once

#include <vector>

#include "base/json.hpp"
#include "base/tree.hpp"

namespace tenken {

std::vector<int> usable_cpus(const Tree& tree);     // what this process may run on
std::vector<int> one_cpu_a_core(const Tree& tree);  // of the usable ones, in order

void write_cpu(Json& json, const Tree& tree);        // "cpu"
void write_topology(Json& json, const Tree& tree);   // "topology"
void write_memory(Json& json, const Tree& tree);     // "memory"
void write_frequency(Json& json, const Tree& tree);  // "frequency"; measures on the running system
void write_gpus(Json& json, const Tree& tree);       // "gpus"
void write_cards(Json& json, const Tree& tree);      // "cards": everything on the PCI bus but bridges
void write_network(Json& json, const Tree& tree);    // "network"
void write_firmware(Json& json, const Tree& tree);   // "firmware"
void write_counters(Json& json, const Tree& tree);   // "counters"
void write_os(Json& json, const Tree& tree);         // "os"
void write_limits(Json& json, const Tree& tree);     // "limits"
void write_load(Json& json, const Tree& tree);       // "load"; watches the running system for 0.2 s

}  // namespace tenken
