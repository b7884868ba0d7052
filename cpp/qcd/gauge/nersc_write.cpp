#include <sys/types.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "parallel/shared_file.hpp"
#include "qcd/gauge/nersc.hpp"
#include "qcd/gauge/nersc_data.hpp"
#include "qcd/gauge/pieces.hpp"

namespace tenken::qcd {

namespace {

[[noreturn]] void cannot_write(const std::string& path, int error) {
  impossible("--save " + path + " cannot be written on " + host_name() + ": " + std::strerror(error) +
             "; name a file in a folder that every node can write to, with space for it");
}

}  // namespace

void write_nersc(MPI_Comm comm, const Geometry& geometry, const Links& links, double plaquette, double link_trace,
                 const std::string& path, const NerscText& text, const NerscForm& form) {
  NerscHeader header;
  header.form = form;
  header.lattice = geometry.block.lattice();
  header.plaquette = plaquette;
  header.link_trace = link_trace;
  const int site_bytes = directions * form.link_bytes();
  std::vector<std::byte> data;
  const auto encode = [&](int first, int sites) {
    data.resize(static_cast<std::size_t>(sites) * static_cast<std::size_t>(site_bytes));
#pragma omp parallel for schedule(static)
    for (int i = 0; i < directions * sites; ++i) {
      encode_link(form, links[static_cast<std::size_t>(directions) * first + i],
                  data.data() + static_cast<std::size_t>(i) * form.link_bytes());
    }
  };
  for_each_piece(geometry, form.link_bytes(), [&](int first, int sites) {
    encode(first, sites);
    header.checksum += word_sum(data, form.order);
  });
  MPI_Allreduce(MPI_IN_PLACE, &header.checksum, 1, MPI_UINT32_T, MPI_SUM, comm);
  std::string top = nersc_header_text(header, text);
  auto top_bytes = static_cast<std::int64_t>(top.size());
  MPI_Bcast(&top_bytes, 1, MPI_INT64_T, 0, comm);  // dates and hosts differ
  header.data_begin = top_bytes;

  long process = getpid();
  MPI_Bcast(&process, 1, MPI_LONG, 0, comm);
  const std::string temporary = path + "." + std::to_string(process) + ".tmp";
  bool created = false;
  try {
    together(comm, [&] {
      if (rank_in(comm) != 0) return;
      SharedFile file(temporary, O_WRONLY | O_CREAT | O_EXCL);
      created = file.is_open();
      if (!created || ftruncate(file.descriptor(), header.file_bytes()) != 0 ||
          !file.write(0, std::as_bytes(std::span(top))) || !file.finish()) {
        cannot_write(path, errno);
      }
    });
    together(comm, [&] {
      SharedFile file(temporary, O_WRONLY);
      if (!file.is_open()) cannot_write(path, errno);
      for_each_piece(geometry, form.link_bytes(), [&](int first, int sites) {
        encode(first, sites);
        if (!file.write(place_in_file(header, geometry, first), data)) cannot_write(path, errno);
      });
      if (!file.finish()) cannot_write(path, errno);
    });
    together(comm, [&] {
      if (rank_in(comm) == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) cannot_write(path, errno);
    });
  } catch (const UserError&) {
    if (created) unlink(temporary.c_str());
    throw;
  }
}

NerscText nersc_text(const std::string& label) {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  char date[40];
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S UTC", &utc);
  return {.ensemble_id = "tenken",
          .ensemble_label = label,
          .sequence_number = 0,
          .creator = "Tenken",
          .creator_hardware = host_name(),
          .date = date};
}

}  // namespace tenken::qcd
