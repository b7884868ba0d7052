// NERSC gauge configurations read and written by all ranks together.
//
// Each rank reads and writes the rows of its block with pread and pwrite, not through MPI-IO: reading needs no locks on
// any file system, sizes beyond 2 GiB need no care, errors are those of the system and go into one sentence, and MPI
// libraries differ in how well they write to NFS. Blocks that are whole time slices (the default grid cuts t first) are
// one contiguous part of the file. Files are opened for writing only and synchronised before they are closed, so that
// an NFS client sends the bytes that were written and no page around them.
#pragma once

#include <mpi.h>

#include <string>

#include "qcd/gauge/nersc_header.hpp"
#include "qcd/kernel.hpp"

namespace tenken::qcd {

// Collective, as all functions here: what one rank refuses, all refuse with the same sentence.
// Rank 0 reads the header; throws UserError where it, or the size of the file, is wrong. Nothing else is read.
NerscHeader read_nersc_header(MPI_Comm comm, const std::string& path);

// The links of this rank as the file has them: 32-bit ones are widened, a third row that is not stored is rebuilt,
// nothing is made unitary. Throws UserError when the checksum is not that of the header, when a link holds NaN or
// infinity, or is further from SU(3) than nersc_limits allows (site and direction are named). `geometry` must have the
// lattice of the header.
Links read_nersc(MPI_Comm comm, const Geometry& geometry, const NerscHeader& header, const std::string& path);

// Throws UserError when the averages of the links are not those of the header (nersc_limits).
void require_averages(const NerscHeader& header, double plaquette, double link_trace, const std::string& path);

// Writes a temporary file beside `path` and renames it: at any time `path` is whole. Averages as gauge_averages has
// them. Throws UserError when the file cannot be written, and leaves no temporary behind.
void write_nersc(MPI_Comm comm, const Geometry& geometry, const Links& links, double plaquette, double link_trace,
                 const std::string& path, const NerscText& text, const NerscForm& form);

// Date, host and a label, as write_nersc puts them into the header. Not collective.
NerscText nersc_text(const std::string& label);

}  // namespace tenken::qcd
