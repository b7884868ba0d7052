#include "gpu/link.hpp"

#include <cctype>
#include <charconv>

namespace tenken::gpu {

namespace {

// The number at the front of "16.0 GT/s PCIe" or "16". 0 or 255 lanes: not reported.
std::optional<double> first_number(const std::optional<std::string>& text) {
  double number = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), number).ec != std::errc{}) return {};
  return number > 0 && number < 255 ? std::optional(number) : std::nullopt;
}

}  // namespace

std::string card_folder(std::string_view bus) {
  std::string folder(bus);  // the runtime writes capital letters, /sys small letters
  for (char& letter : folder) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return "/sys/bus/pci/devices/" + folder + "/";
}

Link link_of(const Tree& tree, std::string_view bus) {
  const std::string folder = card_folder(bus);
  return {first_number(tree.text(folder + "current_link_width")), first_number(tree.text(folder + "max_link_width")),
          first_number(tree.text(folder + "current_link_speed")), first_number(tree.text(folder + "max_link_speed"))};
}

}  // namespace tenken::gpu
