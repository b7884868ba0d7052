/* Halos of the program by hand that are packed into messages, where it sends datatypes of MPI: --route packed.
   A part of that program. Faces 0 and 1: first and last sites in t; 2 and 3: in z. */

/* Between a face of f, or the halo beyond it, and a buffer. */
static void copy_face(Field f, int face, int halo, int out, Spinor *buffer) {
  const int in_t = face < 2, at = face % 2 ? (in_t ? LT : LZ) + halo : 1 - halo;
  for (int i = 1; i <= (in_t ? LZ : LT); i++, buffer += NY * NX) {
    Spinor *row = in_t ? f[at][i][0] : f[i][at][0];
    memcpy(out ? buffer : row, out ? row : buffer, sizeof f[0][0]);
  }
}

static void exchange_packed(Field f) {
  static Spinor sent[4][(LT > LZ ? LT : LZ) * NY * NX], received[4][(LT > LZ ? LT : LZ) * NY * NX];
  const int peer[] = {below_t, above_t, below_z, above_z};
  MPI_Request request[8];
  int n = 0;
  for (int face = 0; face < 4; face++) {
    const int other = face ^ 1, doubles = (face < 2 ? LZ : LT) * NY * NX * (int)(sizeof(Spinor) / sizeof(double));
    copy_face(f, face, 0, 1, sent[face]);
    if (peer[face] == me) {
      copy_face(f, other, 1, 0, sent[face]);
      continue;
    }
    MPI_Irecv(received[face], doubles, MPI_DOUBLE, peer[face], other, MPI_COMM_WORLD, &request[n++]);
    MPI_Isend(sent[face], doubles, MPI_DOUBLE, peer[face], face, MPI_COMM_WORLD, &request[n++]);
  }
  MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
  for (int face = 0; face < 4; face++)
    if (peer[face] != me) copy_face(f, face, 1, 0, received[face]);
}

