// ranks: 3 4
// bcast of sections, rows, members and structures that pointers lead to; from owners of elements; strings.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xmp.h>
#pragma xmp nodes p[*]
#pragma xmp template t[12]
#pragma xmp distribute t[block] onto p
typedef struct { double x[3]; int n; char name[8]; } item_t;
static item_t items[4];
static void give(item_t *one, int from)
{
#pragma xmp bcast(one->n) from p[from]
#pragma xmp bcast(one->x) from p[from]
#pragma xmp bcast(one[0:1]) from p[from]
}
int main(void)
{
  int me = xmpc_node_num(), n = xmpc_num_nodes(), bad = 0, m[3][4][2], i, j, k, lo = 1, len = 2;
  char text[16] = "none";
  long long big[6];
  for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) for (k = 0; k < 2; k++) m[i][j][k] = me * 100 + i * 8 + j * 2 + k;
  for (i = 0; i < 6; i++) big[i] = ((long long)me << 33) + i;
  for (i = 0; i < 4; i++) { items[i].n = me + i; items[i].x[2] = me * 0.5; strcpy(items[i].name, me ? "other" : "zero"); }
  if (me == n - 1) strcpy(text, "the last one");
#pragma xmp bcast(m[1]) from p[1]
#pragma xmp bcast(m[2][lo:len][:]) from p[2]
#pragma xmp bcast(m[0][3][:1]) from p[2]
#pragma xmp bcast(big[lo+1:len], text) from p[n-1]
#pragma xmp bcast(items[2]) from t[11]
#pragma xmp bcast(items[3].x[2], items[3].name) from t[4]
  give(&items[1], 1);
  for (i = 0; i < 3; i++) for (j = 0; j < 4; j++) for (k = 0; k < 2; k++) {
    int from = i == 1 ? 1 : i == 2 && (j == 1 || j == 2) ? 2 : i == 0 && j == 3 && k == 0 ? 2 : me;
    if (m[i][j][k] != from * 100 + i * 8 + j * 2 + k) bad = 1;
  }
  for (i = 0; i < 6; i++) if (big[i] != ((long long)(i == 2 || i == 3 ? n - 1 : me) << 33) + i) bad = 2;
  int owner = 11 / ((12 + n - 1) / n), four = 4 / ((12 + n - 1) / n);
  if (strcmp(text, "the last one") || items[2].n != owner + 2 || strcmp(items[2].name, "other")) bad = 3;
  if (items[3].n != me + 3 || items[3].x[2] != four * 0.5 || strcmp(items[3].name, "other")) bad = 4;
  if (items[1].n != 2 || items[1].x[2] != 0.5 || items[0].n != me) bad = 5;
#pragma xmp reduction(max:bad)
#pragma xmp task on p[0]
  { printf(bad ? "ERROR %d\n" : "PASS\n", bad); }
  return bad;
}
