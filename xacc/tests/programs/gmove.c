// ranks: 1 2 3 4 8
// gmove between block, cyclic, gblock, replicated, fixed and collapsed dimensions, local arrays and scalars; bytes that change owner; plans are kept.
#include <stdio.h>
#include <string.h>
#include <xmp.h>
#define N 23
#define M 7
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N+4]
#pragma xmp distribute c[cyclic(2)] onto p
#pragma xmp template t2[M][N]
#pragma xmp distribute t2[*][block] onto p
int map[64], *sizes = map;
int a[N], b[N], m[M][N], r[N], w[M];
typedef struct { double x; char name[3]; } S;
S s1[N], s2[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[1]
#pragma xmp align b[i] with c[i+3]
#pragma xmp align m[j][i] with t2[j][i]
#pragma xmp align r[*] with t[*]
#pragma xmp align w[j] with t2[j][5]
#pragma xmp align s1[i] with t[i]
#pragma xmp align s2[i] with c[i+1]
static int bad;
long xacc_gmove_bytes(void), xacc_gmove_plans(void);
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d, i %d\n", __LINE__, i); } } while (0)
static long moved(void) {
  long bytes = 0;
#ifdef _XCALABLEMP
  bytes = xacc_gmove_bytes();
#endif
#pragma xmp reduction(+:bytes)
  return bytes;
}
static void uneven(void) {
  int n = xmp_num_nodes(), i, left = N, x[N];
  for (i = 0; i < n; i++) {
    map[i] = i == n - 1 ? left : left / 2;
    left -= map[i];
  }
#pragma xmp template g[N]
#pragma xmp distribute g[gblock(sizes)] onto p
  int v[N];
#pragma xmp align v[i] with g[i]
#pragma xmp gmove
  v[:] = b[:];
#pragma xmp gmove
  v[3:5] = v[0:5];
#pragma xmp gmove
  x[:] = v[:];
  for (i = 0; i < N; i++) EXPECT(x[i] == (i < 3 || i > 7 ? i : i - 3));
}
static void parameters(int x[N], int y[N]) {
#pragma xmp align x[i] with t[i]
#pragma xmp align y[i] with c[i+3]
#pragma xmp gmove
  y[:] = x[:];
}
int main(void) {
  int x[N], y[M][N], s = 0, q[4] = {5, 6, 7, 8}, owners = 0, nodes = xmp_num_nodes(), width = (N + nodes - 1) / nodes, i;
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) a[i] = i;
  long before = moved();
#pragma xmp gmove
  b[:] = a[:];
  for (i = 0; i < N; i++) owners += i / width != (i + 3) / 2 % nodes;
  i = owners;
#ifdef _XCALABLEMP
  EXPECT(moved() - before == owners * (long)sizeof(int));
  long plans = xacc_gmove_plans();
  for (int k = 0; k < 3; k++) parameters(a, b);
  EXPECT(xacc_gmove_plans() == plans);
  before = moved();
#pragma xmp gmove profile(overlap)
  a[0:N-3] = a[3:N-3];
  owners = 0;
  for (i = 0; i < N - 3; i++) owners += i / width != (i + 3) / width;
  EXPECT(moved() - before == owners * (long)sizeof(int));
#pragma xmp gmove
  a[:] = b[:];
  before = moved();
#pragma xmp gmove
  m[6][:] = a[:];
#pragma xmp gmove
  r[2:3] = r[5:3];
  EXPECT(moved() == before);
#endif
#pragma xmp loop on c[i+3]
  for (i = 0; i < N; i++) EXPECT(b[i] == i);
  uneven();
#pragma xmp gmove
  x[:] = b[:];
  for (i = 0; i < N; i++) EXPECT(x[i] == i);
#pragma xmp gmove
  a[1:N-1] = a[0:N-1];
#pragma xmp gmove
  x[:] = a[:];
  for (i = 0; i < N; i++) EXPECT(x[i] == (i ? i - 1 : 0));
#pragma xmp gmove
  s = b[13];
  i = s;
  EXPECT(s == 13);
#pragma xmp gmove
  b[4:5:3] = 99;
#pragma xmp gmove
  b[1] = a[22];
#pragma xmp gmove
  b[0:3:9] = q[3:3:-1];
#pragma xmp gmove
  x[N-1:N:-1] = b[:];
  for (i = 0; i < N; i++) EXPECT(x[N - 1 - i] == (i == 1 ? 21 : i % 9 == 0 && i < 20 ? 8 - i / 9 : i >= 4 && i <= 16 && i % 3 == 1 ? 99 : i));
#pragma xmp gmove
  m[3][:] = b[:];
#pragma xmp gmove
  m[0:3][2:5:2] = a[20];
#pragma xmp gmove
  m[2][0:2] = s;
#pragma xmp gmove
  y[:][:] = m[:][:];
  for (int j = 0; j < M; j++)
    for (i = 0; i < N; i++)
      EXPECT(y[j][i] == (j == 3 ? x[N - 1 - i] : j == 2 && i < 2 ? 13 : j < 3 && i >= 2 && i < 12 && i % 2 == 0 ? 19 : j == 6 ? y[j][i] : 0));
#pragma xmp gmove
  r[:] = m[3][:];
#pragma xmp gmove async(3)
  a[:] = r[:];
#pragma xmp wait_async(3)
  for (i = 0; i < N; i++) EXPECT(r[i] == x[N - 1 - i]);
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) EXPECT(a[i] == x[N - 1 - i]);
#pragma xmp gmove
  w[:] = m[:][4];
#pragma xmp gmove
  w[0:2] = w[3:2];
#pragma xmp gmove
  x[0:M] = w[:];
  for (i = 0; i < M; i++) EXPECT(x[i] == (i < 2 ? y[3 + i][4] : y[i][4]));
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
    s1[i].x = i;
    s1[i].name[1] = (char)i;
  }
#pragma xmp gmove
  s2[1:N-1] = s1[N-1:N-1:-1];
#pragma xmp loop on c[i+1]
  for (i = 1; i < N; i++) EXPECT(s2[i].x == N - i && s2[i].name[1] == N - i);
#pragma xmp reduction(+:bad)
#pragma xmp task on p[0]
  { printf("%s\n", bad ? "ERROR" : "PASS"); }
  return bad;
}
