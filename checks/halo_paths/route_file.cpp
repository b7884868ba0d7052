#include "route_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "measure/header.hpp"

namespace halo_paths {

using namespace tenken;

namespace {

bool append_text(const SharedFile& file, const std::string& text) {
  return ::write(file.descriptor(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

}  // namespace

RouteFile::RouteFile(const Check& check, const std::string& path) : path_(path) {
  if (path.empty()) return;
  together(check.comm(), [&] {
    if (check.rank() != 0) return;
    file_ = std::make_unique<SharedFile>(path, O_RDWR | O_APPEND | O_CREAT);
    if (!file_->is_open()) refuse("--save_routes " + path + " cannot be written: " + std::strerror(errno));
    const std::string heading = route_heading();
    std::string first(heading.size(), '\0');
    const std::int64_t read = file_->read(0, std::as_writable_bytes(std::span(first)));
    if (read == 0) {
      if (!append_text(*file_, heading)) {
        refuse("--save_routes " + path + " cannot be written: " + std::strerror(errno));
      }
    } else if (first != heading) {
      refuse("--save_routes " + path + " is another file than a table of routes; choose a new name");
    }
  });
}

void RouteFile::append(const Check& check, const RouteLine& line) const {
  if (file_ == nullptr) return;
  const std::string text = route_text(route_origin(Tree("/")), line, check.parameters().text("placement"),
                                      check.parameters().text("launch"), utc_now());
  if (!append_text(*file_, text)) {
    std::fprintf(stderr, "halo_paths: the times are not in --save_routes %s: %s\n", path_.c_str(),
                 std::strerror(errno));
  }
}

}  // namespace halo_paths
