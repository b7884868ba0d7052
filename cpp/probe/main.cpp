// tenken-probe: reads and measures the node it runs on, and prints one JSON object ("nodes" of machine.json).
#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <ctime>
#include <exception>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "probe/probe.hpp"

namespace tenken {
namespace {

constexpr const char* usage =
    "usage: tenken-probe [--root DIR] [--out DIR]\n"
    "Prints a description of this node as one JSON object.\n"
    "--root DIR reads a captured tree of another node and measures nothing.\n"
    "--out DIR writes DIR/HOST-PROCESS.json instead of printing: long lines of many nodes would mix.\n";

std::optional<std::string> host(const Tree& tree) {
  char name[256] = "";
  if (tree.live() && gethostname(name, sizeof name - 1) == 0 && name[0] != '\0') return printable(name);
  return tree.text("/proc/sys/kernel/hostname");
}

std::optional<std::string> now(const Tree& tree) {
  if (!tree.live()) return std::nullopt;
  const std::time_t seconds = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&seconds, &utc);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

std::string node_json(const Tree& tree) {
  Json json;
  json.begin_object().field("schema", "tenken.node/1").field("source", "probe");
  field(json, "host", host(tree));
  field(json, "date", now(tree));
  write_load(json, tree);  // before anything is measured: the probe itself is load
  write_cpu(json, tree);
  write_topology(json, tree);
  write_memory(json, tree);
  write_frequency(json, tree);
  write_gpus(json, tree);
  write_cards(json, tree);
  write_network(json, tree);
  write_firmware(json, tree);
  write_counters(json, tree);
  write_os(json, tree);
  write_limits(json, tree);
  json.end_object();
  return json.text();
}

// Into a file that appears whole under its name; of a host name only what is harmless in one.
void write_file(const std::string& folder, const Tree& tree, const std::string& json) {
  std::string name;
  for (const char c : host(tree).value_or("unknown")) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  const auto path = folder + "/" + name + "-" + std::to_string(getpid()) + ".json", temporary = path + ".tmp";
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(temporary.c_str(), "wx"), std::fclose);
  if (!file || std::fprintf(file.get(), "%s\n", json.c_str()) < 0 || std::fflush(file.get()) != 0 ||
      std::rename(temporary.c_str(), path.c_str()) != 0) {
    impossible("cannot write " + path);
  }
}

int run(int argc, char** argv) {
  std::string root = "/", out;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--help") {
      std::fputs(usage, stdout);
      return 0;
    }
    if ((argument != "--root" && argument != "--out") || i + 1 == argc) {
      refuse("unknown or incomplete argument '" + argument + "'; valid: --root DIR, --out DIR, --help");
    }
    const std::string folder = argv[++i];
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error)) {
      refuse(argument + " " + folder + ": not a folder; give one " +
             (argument == "--root" ? "with sys/ and proc/" : "that can be written"));
    }
    (argument == "--root" ? root : out) = folder;
  }
  const Tree tree(root);
  const auto json = node_json(tree);
  if (!out.empty()) {
    write_file(out, tree, json);
    return 0;
  }
  if (std::printf("%s\n", json.c_str()) < 0 || std::fflush(stdout) != 0) impossible("cannot write to standard output");
  return 0;
}

}  // namespace
}  // namespace tenken

int main(int argc, char** argv) {
  try {
    return tenken::run(argc, argv);
  } catch (const tenken::UserError& error) {
    std::fprintf(stderr, "tenken-probe: %s\n", error.what());
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tenken-probe: %s\n", error.what());
    return static_cast<int>(tenken::ExitCode::impossible);
  }
}
