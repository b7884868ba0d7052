#include "qcd/launch/input.hpp"

#include <string>

namespace tenken::qcd {

std::optional<NerscHeader> configuration_header(const Check& check) {
  if (!check.parameters().has("configuration")) return {};
  const std::string& path = check.parameters().text("configuration");
  if (path.empty()) return {};
  return read_nersc_header(check.comm(), path);
}

Links first_links(const Check& check, const Geometry& geometry, const Configuration& configuration,
                  const std::optional<NerscHeader>& header) {
  if (!header) return make_links(geometry, configuration);
  return read_nersc(check.comm(), geometry, *header, check.parameters().text("configuration"));
}

void settle(const Check& check, const Configuration& configuration, const std::optional<NerscHeader>& header,
            const ExtendedLinks& made, const Links& links) {
  const Parameters& parameters = check.parameters();
  const std::string path = parameters.has("save") ? parameters.text("save") : "";
  if (!header && path.empty()) return;
  const GaugeAverages averages = gauge_averages(made);
  if (header) {
    require_averages(*header, averages.plaquette, averages.link_trace, parameters.text("configuration"));
  }
  if (path.empty()) return;
  const std::string origin = header ? parameters.text("configuration")
                                    : parameters.text("start") + " start, seed " + std::to_string(configuration.seed);
  // Bit-exact, and in the byte order that every other reader knows.
  const NerscForm form{.rows = 3, .real_bytes = 8, .order = ByteOrder::big};
  write_nersc(check.comm(), made.geometry(), links, averages.plaquette, averages.link_trace, path, nersc_text(origin),
              form);
}

}  // namespace tenken::qcd
