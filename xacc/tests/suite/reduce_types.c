// ranks: 4 6
// reduction in each spelling: on parts of nodes, of arrays, of several types in one clause, with locations, in loops on nodes.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#pragma xmp nodes p(2,*)
#pragma xmp template t(1:24,1:24)
#pragma xmp distribute t(cyclic, block) onto p
int x[24][24];
#pragma xmp align x[j][i] with t(i+1,j+1)
int result = 0;
#define BAD(n) (printf("node %d: wrong %d\n", xmp_node_num(), n), result = n)
int main(void) {
  int i, j, n = xmp_num_nodes(), me = xmp_node_num(), rows = n / 2;
  int s = me;
#pragma xmp reduction(+:s) on p(1,:)
  if (me % 2 == 1 ? s != rows * rows : s != me) BAD(1);
  s = me;
#pragma xmp reduction(max:s) on p(:,*)
  if (s != (me + 1) / 2 * 2) BAD(2);
  s = me;
#pragma xmp reduction(MIN:s) on p(2,2)
  if (s != me) BAD(3);
  s = me;
#pragma xmp reduction(+:s) on t(1,:)
  if (me % 2 == 1 ? s != rows * rows : s != me) BAD(4);
#pragma xmp loop (j,i) on t(i+1,j+1)
  for (j = 0; j < 24; j++)
    for (i = 0; i < 24; i++) x[j][i] = (i * 7 + j * 11) % 53;
  int big = INT_MIN, bi = -1, bj = -1, small = INT_MAX, si = -1, sj = -1;
#pragma xmp loop (j,i) on t(i+1,j+1) reduction(firstmax:big/bj,bi/) reduction(lastmin:small/sj,si/)
  for (j = 0; j < 24; j++)
    for (i = 0; i < 24; i++) {
      if (x[j][i] > big) big = x[j][i], bi = i, bj = j;
      if (x[j][i] <= small) small = x[j][i], si = i, sj = j;
    }
  int wbig = INT_MIN, wbi = -1, wbj = -1, wsmall = INT_MAX, wsi = -1, wsj = -1;
  for (j = 0; j < 24; j++)
    for (i = 0; i < 24; i++) {
      int v = (i * 7 + j * 11) % 53;
      if (v > wbig) wbig = v, wbi = i, wbj = j;
      if (v <= wsmall) wsmall = v, wsi = i, wsj = j;
    }
  if (big != wbig || bi != wbi || bj != wbj) BAD(5);
  if (small != wsmall || si != wsi || sj != wsj) BAD(6);
  float f = 0;
  double d[3] = {0, 0, 0};
  unsigned char uc = 0;
#pragma xmp loop (i) on t(*,i) reduction(+:f,d)
  for (i = 1; i <= 24; i++) f += i, d[i % 3] += i;
  if (f != 300 || d[0] != 108 || d[1] != 92 || d[2] != 100) BAD(7);
#pragma xmp loop on p(*,j) reduction(|:uc)
  for (j = 1; j <= rows; j++) uc |= 1 << j;
  if (uc != (1 << (rows + 1)) - 2) BAD(8);
  int first = me, where = me * 10;
  if (me > 2) first = 100;
#pragma xmp reduction(firstmax: first / where /)
  if (first != 100 || where != 30) BAD(9);
  long long ll = 1LL << (me + 20);
#pragma xmp reduction(+:ll)
  if (ll != ((1LL << (n + 1)) - 2) << 20) BAD(10);
#pragma xmp reduction(max:result)
  if (me == 1) printf("%s\n", result ? "ERROR" : "PASS");
  return result;
}
