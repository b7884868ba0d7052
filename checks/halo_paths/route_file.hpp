// The file to which launches append the times of their routes (parallel/route_table.hpp).
#pragma once

#include <memory>
#include <string>

#include "measure/check.hpp"
#include "parallel/route_table.hpp"
#include "parallel/shared_file.hpp"

namespace halo_paths {

class RouteFile {
 public:
  // Collective. Opened before anything is measured: throws UserError (refused) on every rank where `path` cannot be
  // written, or is no table of routes. "": nothing is saved.
  RouteFile(const tenken::Check& check, const std::string& path);

  // Appends one line, in one write, so that lines of launches at the same time stay whole. What fails is printed; the
  // record is written all the same.
  void append(const tenken::Check& check, const tenken::RouteLine& line) const;

 private:
  std::string path_;
  std::unique_ptr<tenken::SharedFile> file_;  // of the first rank
};

}  // namespace halo_paths
