#include "measure/header.hpp"

#include <mpi.h>

#include <ctime>

#include "base/json.hpp"
#include "measure/thread_level.hpp"
#include "parallel/route_table.hpp"

namespace tenken {

namespace {

void write_parameter(Json& json, const Parameters& parameters, const ParameterSpec& spec) {
  json.key(spec.name);
  switch (spec.type) {
    case ParameterType::integer:
    case ParameterType::bytes:
      json.value(parameters.integer(spec.name));
      break;
    case ParameterType::real:
      json.value(parameters.real(spec.name));
      break;
    case ParameterType::flag:
      json.value(parameters.flag(spec.name));
      break;
    case ParameterType::choice:
    case ParameterType::path:
      json.value(parameters.text(spec.name));
      break;
    case ParameterType::integers:
      json.begin_array();
      for (const std::int64_t n : parameters.integers(spec.name)) json.value(n);
      json.end_array();
      break;
  }
}

void write_section(Json& json, const LiveSection& section, std::size_t id, bool single) {
  constexpr std::string_view kinds[] = {"compute", "comm", "io", "wait"};
  json.begin_object().field("id", id).field("path", section.path);
  json.field("kind", kinds[static_cast<int>(section.spec->kind)]).field("leaf", section.spec->leaf);
  json.field("of", section.spec->path);
  if (section.repeated) json.field("at", section.at);
  if (single) json.field("precision", "single");
  json.end_object();
}

}  // namespace

std::string header_line(const HeaderFacts& facts) {
  Json json;
  json.begin_object().field("type", "header");
  json.field("schema", facts.all_samples ? "tenken.record/1" : "tenken.record/2").field("check", facts.table.name);
  json.field("variant", facts.parameters.text("variant"));
  json.key("parameters").begin_object();
  for (const ParameterSpec& spec : facts.table.parameters) write_parameter(json, facts.parameters, spec);
  json.end_object().key("environment").begin_object();
  json.field("name", TENKEN_ENVIRONMENT).field("compiler", TENKEN_COMPILER).field("mpi", mpi_library());
  json.field("flags", TENKEN_FLAGS).field("isa", TENKEN_ISA_NAME).field("sections", static_cast<bool>(TENKEN_SECTIONS));
  json.key("libraries").begin_object();
  for (const auto& [role, name] : facts.libraries) json.field(role, name);
  json.end_object().end_object().field("ranks", facts.ranks).field("threads", facts.threads);
  json.key("clock").begin_object().field("source", facts.clock.source());
  json.field("ns_per_tick", facts.clock.ns_per_tick()).field("drift", facts.clock.drift()).end_object();
  json.field("timer_overhead_ns", facts.timer_overhead_ns).key("sections").begin_array();
  for (std::size_t id = 0; id < facts.sections.size(); ++id)
    write_section(json, facts.sections[id], id, facts.single[id]);
  const std::string& fault = facts.parameters.text("fault");
  json.end_array().key("fault");
  fault == "none" ? json.null() : json.value(fault);
  json.key("placement").begin_object();
  for (const std::string_view name : {"placement", "membind", "rank_map"}) {
    const std::string& text = facts.parameters.text(name);
    json.key(name);
    text.empty() ? json.null() : json.value(text);
  }
  int level = 0;
  MPI_Query_thread(&level);
  json.field("reserve", facts.parameters.integer("reserve"))
      .end_object()
      .field("thread_level", thread_level_name(level));
  json.field("started", facts.started).key("repetitions").begin_object();
  json.field("planned", facts.repetitions_planned).field("run", facts.repetitions_run).end_object();
  if (const std::string& launch = facts.parameters.text("launch"); !launch.empty()) json.field("launch", launch);
  if (facts.counted != nullptr) {
    json.key("counters");
    write_counted(json, *facts.counted);
  }
  json.end_object();
  return json.text() + "\n";
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace tenken
