#include "probe/nvidia.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/tree.hpp"

using namespace tenken;

namespace {

std::string state(const NvidiaCard& card) {
  Json json;
  json.begin_object();
  card.write_state(json);
  json.end_object();
  return json.text();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

constexpr const char* answer =
    "?pci.bus_id,name,driver_version,memory.total\n"
    "00000000:3B:00.0, NVIDIA A100-SXM4-40GB, 535.104.05, 40960\n"
    "00000000:5E:00.0, NVIDIA A100-SXM4-40GB, 535.104.05, 40960\n"
    "?pci.bus_id,compute_mode,memory.used,utilization.gpu,clocks.max.sm,clocks.max.memory,power.limit,power.default_"
    "limit\n"
    "00000000:3B:00.0, Default, 4, 0, 1410, 1215, 400.00, 400.00\n"
    "00000000:5E:00.0, Exclusive_Process, 30720, 97, 1410, 1215, 300.00, 400.00\n"
    "?pci.bus_id,ecc.mode.current,ecc.errors.corrected.volatile.total,ecc.errors.uncorrected.volatile.total,"
    "ecc.errors.uncorrected.aggregate.total,retired_pages.pending\n"
    "00000000:3B:00.0, Enabled, 0, 0, 0, [N/A]\n"
    "00000000:5E:00.0, Enabled, 12, 2, 7, [N/A]\n"
    "?pci.bus_id,mig.mode.current\n"
    "00000000:3B:00.0, Disabled\n"
    "00000000:5E:00.0, Enabled\n"
    "?pci.bus_id,clocks_throttle_reasons.active\n"
    "Field \"clocks_throttle_reasons.active\" is not a valid field to query.\n"
    "?pci.bus_id,clocks_event_reasons.active\n"
    "00000000:3B:00.0, 0x0000000000000001\n"
    "00000000:5E:00.0, 0x0000000000000024\n"
    "?gpu_bus_id,remapped_rows.pending,remapped_rows.failure\n"
    "00000000:3B:00.0, No, No\n"
    "00000000:5E:00.0, Yes, No\n";

}  // namespace

TEST_CASE("cards of nvidia-smi, by address, with what each query knows") {
  const NvidiaCards cards = parse_nvidia(answer);
  REQUIRE(cards.size() == 2);
  const NvidiaCard &well = cards.at("0000:3b:00.0"), &ill = cards.at("0000:5e:00.0");
  CHECK(well.text("name") == "NVIDIA A100-SXM4-40GB");
  CHECK(well.number("memory.total") == 40960);
  CHECK(!well.yes("retired_pages.pending"));
  const std::string good = state(well), bad = state(ill);
  CHECK(has(good, R"("compute_mode":"Default","partitioned":false,"memory_used_bytes":4194304,"utilization":0)"));
  CHECK(has(good, R"("slowed_by":"","ecc":true)"));
  CHECK(has(good, R"("repair_pending":false,"repair_failed":false)"));
  CHECK(has(bad, R"("compute_mode":"Exclusive_Process","partitioned":true)"));
  CHECK(has(bad, R"("power_limit_w":300,"power_default_w":400,"slowed_by":"power limit, heat")"));
  CHECK(has(bad, R"("corrected_errors":12,"uncorrected_errors":2,"uncorrected_errors_ever":7,"repair_pending":true)"));
}

TEST_CASE("a card that reports little, and text that is no answer") {
  const NvidiaCards cards =
      parse_nvidia("?pci.bus_id,name,driver_version,memory.total\n00000000:01:00.0, GeForce, 470.1, [N/A]\n");
  CHECK(!cards.at("0000:01:00.0").number("memory.total"));
  CHECK(state(cards.at("0000:01:00.0")) == R"({"state":null})");
  CHECK(parse_nvidia("").empty());
  CHECK(parse_nvidia("No devices were found\n?\n?a\n00000000:01:00.0\n").empty());
  CHECK(parse_nvidia("?pci.bus_id,name\nUnable to determine the device handle for GPU 0000:5E:00.0, Unknown Error\n")
            .empty());
}

TEST_CASE("queries of the command itself, until one fails at first") {
  const auto folder = std::filesystem::temp_directory_path() / "tenken-nvidia-smi-test";
  std::filesystem::create_directories(folder);
  const std::string program = (folder / "nvidia-smi").string();
  const std::string path = getenv("PATH");
  setenv("PATH", (folder.string() + ":" + path).c_str(), 1);
  const auto write = [&](const std::string& script) {
    std::ofstream(program) << "#!/bin/sh\n" << script;
    chmod(program.c_str(), 0755);
  };
  write(
      "case $1 in *name*) echo 00000000:3B:00.0, A100, 535, 40960;; *compute_mode*) echo "
      "00000000:3B:00.0, Prohibited, 1, 2, 3, 4, 5, 6;; *rows*) echo 00000000:3B:00.0, No, Yes;; *) exit 2;; esac\n");
  const NvidiaCards cards = ask_nvidia();
  REQUIRE(cards.size() == 1);
  CHECK(cards.at("0000:3b:00.0").text("compute_mode") == "Prohibited");
  CHECK(cards.at("0000:3b:00.0").yes("remapped_rows.failure") == true);
  CHECK(has(state(cards.at("0000:3b:00.0")), R"("ecc":null)"));
  write("case $1 in *name*) exit 9;; *) echo 00000000:3B:00.0, Default, 1, 2, 3, 4, 5, 6;; esac\n");
  CHECK(ask_nvidia().empty());
  setenv("PATH", path.c_str(), 1);
  std::filesystem::remove_all(folder);
}
