// ranks: 1 2 3 4 8
// gmove in and out: elements of nodes that do not take part; other sections on each node; shadows, cyclic, replicated, one value for many.
#include <stdio.h>
#include <xmp.h>
#define N 19
#define M 6
#pragma xmp nodes p[*]
#pragma xmp template t[N]
#pragma xmp distribute t[block] onto p
#pragma xmp template c[N+1]
#pragma xmp distribute c[cyclic(2)] onto p
int a[N], b[N], m[M][N], r[N];
#pragma xmp align a[i] with t[i]
#pragma xmp shadow a[2:1]
#pragma xmp align b[i] with c[i+1]
#pragma xmp align m[*][i] with t[i]
#pragma xmp align r[*] with t[*]
static int bad;
#define EXPECT(x) do { if (!(x)) { bad++; printf("line %d, i %d\n", __LINE__, i); } } while (0)
int main(void) {
  int x[N], y[M][3], s = 0, i, n = xmp_num_nodes(), me = xmpc_node_num();
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) {
    a[i] = i;
    for (int j = 0; j < M; j++) m[j][i] = 100 * j + i;
  }
#pragma xmp loop on c[i+1]
  for (i = 0; i < N; i++) b[i] = 50 + i;
#pragma xmp barrier
  for (int k = 0; k < n; k++) {
#pragma xmp task on p[k]
    {
#pragma xmp gmove in
      s = a[N-1-k];
#pragma xmp gmove in
      x[N-1:N:-1] = b[:];
#pragma xmp gmove in async(2)
      y[:][:] = m[:][k:3:5];
#pragma xmp wait_async(2)
    }
  }
  i = s;
  EXPECT(s == N - 1 - me);
  for (i = 0; i < N; i++) EXPECT(x[i] == 50 + N - 1 - i);
  for (i = 0; i < 3; i++) EXPECT(y[4][i] == 400 + me + 5 * i);
#pragma xmp barrier
#pragma xmp task on p[n-1]
  {
    for (i = 0; i < N; i++) x[i] = 7 * i;
#pragma xmp gmove out
    a[1:N-1] = x[1:N-1];
#pragma xmp gmove out
    b[0:4:5] = -1;
#pragma xmp gmove out
    m[2][:] = x[3];
#pragma xmp gmove out profile
    r[4:2] = x[5:2];
  }
#pragma xmp barrier
#pragma xmp gmove
  x[:] = a[:];
  for (i = 0; i < N; i++) EXPECT(x[i] == 7 * i);
#pragma xmp loop on c[i+1]
  for (i = 0; i < N; i++) EXPECT(b[i] == (i % 5 == 0 && i < 20 ? -1 : 50 + i));
  i = 4;
  EXPECT(r[3] == 0 && r[4] == 35 && r[5] == 42);
#pragma xmp loop on t[i]
  for (i = 0; i < N; i++) EXPECT(m[2][i] == 21 && m[1][i] == 100 + i);
#pragma xmp gmove out
  x[0:3] = b[0:3];
#pragma xmp gmove in
  x[3:2] = y[0][0:2];
  i = x[4];
  EXPECT(x[0] == -1 && x[1] == 51 && x[2] == 52 && x[3] == me && x[4] == me + 5);
#pragma xmp gmove in
  a[0:N] = b[:];
#pragma xmp barrier
#pragma xmp gmove
  x[:] = a[:];
  for (i = 0; i < N; i++) EXPECT(x[i] == (i % 5 == 0 && i < 20 ? -1 : 50 + i));
#pragma xmp reduction(+:bad)
#pragma xmp task on p[0]
  { printf("%s\n", bad ? "ERROR" : "PASS"); }
  return bad;
}
