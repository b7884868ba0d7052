#include "qcd/gauge/nersc.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "parallel/shared_file.hpp"
#include "qcd/gauge/nersc_data.hpp"
#include "qcd/gauge/pieces.hpp"

namespace tenken::qcd {

namespace {

constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void cannot_read(const std::string& path, int error) {
  refuse("--configuration " + path + " cannot be read on " + host_name() + ": " + std::strerror(error) +
         "; name a NERSC configuration that every node can read");
}

// What one pass over the data of all ranks tells.
struct Found {
  std::uint32_t checksum = 0;
  std::int64_t not_finite = none;  // 4 x place of the site + mu of the first such link
  std::int64_t not_su3 = none;
};

Found read_links(MPI_Comm comm, const Geometry& geometry, const NerscHeader& header, const std::string& path,
                 Links& links) {
  const NerscForm& form = header.form;
  const int site_bytes = directions * form.link_bytes();
  const double limit = nersc_limits(header).links;
  std::uint32_t checksum = 0;
  std::int64_t not_finite = none, not_su3 = none;
  together(comm, [&] {
    const SharedFile file(path, O_RDONLY);
    if (!file.is_open()) cannot_read(path, errno);
    std::vector<std::byte> data;
    for_each_piece(geometry, form.link_bytes(), [&](int first, int sites) {
      data.resize(static_cast<std::size_t>(sites) * static_cast<std::size_t>(site_bytes));
      const std::int64_t got = file.read(place_in_file(header, geometry, first), data);
      if (got < 0) cannot_read(path, errno);
      if (got != static_cast<std::int64_t>(data.size())) {
        refuse("--configuration " + path + " ends too early on " + host_name() +
               "; it must be the same file on all nodes");
      }
#pragma omp parallel for schedule(static) reduction(+ : checksum) reduction(min : not_finite, not_su3)
      for (int i = 0; i < sites; ++i) {
        const std::span<const std::byte> site(data.data() + static_cast<std::size_t>(i) * site_bytes, site_bytes);
        checksum += word_sum(site, form.order);
        for (int mu = 0; mu < directions; ++mu) {
          Link& link = links[static_cast<std::size_t>(directions) * (first + i) + mu];
          link = decode_link(form, site.data() + static_cast<std::size_t>(mu) * form.link_bytes());
          const std::int64_t place = directions * geometry.global_position(first + i) + mu;
          if (!finite(link)) {
            not_finite = std::min(not_finite, place);
          } else if (!(unitarity_error(link) <= limit && determinant_error(link) <= limit)) {
            not_su3 = std::min(not_su3, place);
          }
        }
      }
    });
  });
  std::int64_t places[2] = {not_finite, not_su3};
  MPI_Allreduce(MPI_IN_PLACE, places, 2, MPI_INT64_T, MPI_MIN, comm);
  MPI_Allreduce(MPI_IN_PLACE, &checksum, 1, MPI_UINT32_T, MPI_SUM, comm);
  return {checksum, places[0], places[1]};
}

std::string link_name(const Index4& lattice, std::int64_t place) {
  const Index4 x = coordinates(place / directions, lattice);
  std::string name = "the link of site ";
  for (int d = 0; d < dimensions; ++d) name += (d == 0 ? "" : ",") + std::to_string(x[d]);
  return name + " in direction " + "xyzt"[place % directions];
}

std::string number(const char* format, auto x) {
  char text[40];
  std::snprintf(text, sizeof text, format, x);
  return text;
}

}  // namespace

NerscHeader read_nersc_header(MPI_Comm comm, const std::string& path) {
  static_assert(std::is_trivially_copyable_v<NerscHeader>);
  NerscHeader header;
  together(comm, [&] {
    if (rank_in(comm) != 0) return;
    const SharedFile file(path, O_RDONLY | O_NONBLOCK);  // a named pipe would never open
    struct stat status = {};
    if (!file.is_open() || fstat(file.descriptor(), &status) != 0) cannot_read(path, errno);
    if (S_ISDIR(status.st_mode)) cannot_read(path, EISDIR);
    if (!S_ISREG(status.st_mode)) refuse("--configuration " + path + " is no file; name a NERSC configuration");
    std::string start(longest_nersc_header, '\0');
    const std::int64_t got = file.read(0, std::as_writable_bytes(std::span(start)));
    if (got < 0) cannot_read(path, errno);
    start.resize(static_cast<std::size_t>(got));
    header = parse_nersc_header(start, path);
    require_nersc_size(header, status.st_size, path);
  });
  MPI_Bcast(&header, sizeof header, MPI_BYTE, 0, comm);
  return header;
}

Links read_nersc(MPI_Comm comm, const Geometry& geometry, const NerscHeader& header, const std::string& path) {
  Links links;
  together(comm, [&] {
    links = {static_cast<std::size_t>(geometry.sites) * directions, Pages::huge, "the gauge field"};
  });
  // First touched by the threads that will work on it.
#pragma omp parallel for schedule(static)
  for (int i = 0; i < geometry.sites; ++i)
    std::fill_n(&links[static_cast<std::size_t>(directions) * i], directions, Link{});
  Found found = read_links(comm, geometry, header, path, links);
  if (found.checksum != header.checksum && !header.form.order_said) {
    NerscHeader turned = header;
    turned.form.order = header.form.order == ByteOrder::little ? ByteOrder::big : ByteOrder::little;
    found = read_links(comm, geometry, turned, path, links);
  }
  const std::string name = "--configuration " + path;
  if (found.checksum != header.checksum) {
    refuse(name + " has the checksum " + number("%08x", found.checksum) + ", but its header states " +
           number("%08x", header.checksum) + "; " +
           (header.checksum == 0 ? "that of 0 was not computed by its writer: write the sum into the header"
                                 : "get the file anew, its data are damaged"));
  }
  if (found.not_finite != none) {
    refuse(name + ": " + link_name(header.lattice, found.not_finite) + " is not finite; the file was written wrong");
  }
  if (found.not_su3 != none) {
    refuse(name + ": " + link_name(header.lattice, found.not_su3) + " is not in SU(3) within " +
           number("%g", nersc_limits(header).links) + "; the file was written wrong");
  }
  return links;
}

void require_averages(const NerscHeader& header, double plaquette, double link_trace, const std::string& path) {
  const NerscLimits limits = nersc_limits(header);
  const auto require = [&](const char* what, double found, double expected, double limit) {
    if (std::abs(found - expected) <= limit) return;
    refuse("--configuration " + path + ": its links have the " + what + " " + number("%.10g", found) +
           ", but its header states " + number("%.10g", expected) +
           "; the header belongs to other links, or they are " + "stored in another order than NERSC files have");
  };
  require("mean plaquette", plaquette, header.plaquette, limits.plaquette);
  require("mean trace", link_trace, header.link_trace, limits.link_trace);
}

}  // namespace tenken::qcd
