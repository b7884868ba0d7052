// ranks: 4 6
// Reductions in loops over three templates of three dimensions, each distributed in another one; colons in loops.
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
static const int N=100;
int random_array[100];
#pragma xmp nodes p(*)
#pragma xmp template t1(0:N-1,0:N-1,0:N-1)
#pragma xmp template t2(0:N-1,0:N-1,0:N-1)
#pragma xmp template t3(0:N-1,0:N-1,0:N-1)
#pragma xmp distribute t1(cyclic,*,*) onto p
#pragma xmp distribute t2(*,block,*) onto p
#pragma xmp distribute t3(*,*,cyclic(3)) onto p
int a[N],sa;
double b[N],sb=0.0;
float c[N],sc=1e9;
int ia=1,ib=1,i,k,result=0;
#pragma xmp align a[i] with t1(i,*,*)
#pragma xmp align b[i] with t2(*,i,*)
#pragma xmp align c[i] with t3(*,*,i)

int main(void)
{
  srand(0);
  for(i=0;i<N;i++)
    random_array[i] = rand() % 1000;
#pragma xmp loop on t1(i,:,:)
  for(i=0;i<N;i++)
    a[i] = random_array[i];
#pragma xmp loop on t2(:,i,:)
  for(i=0;i<N;i++)
    b[i] = (double)random_array[i];
#pragma xmp loop on t3(:,:,i)
  for(i=0;i<N;i++)
    c[i] = (float)random_array[i];
  int big = 0, at = -1, x = 0;
  float small = 1e9;
  for(i=0;i<N;i++){
    if(big <= random_array[i]){ big = random_array[i]; at = i; }
    if(small > random_array[i]) small = random_array[i];
    x ^= random_array[i];
  }
#pragma xmp loop (i) on t2(:,i,:) reduction(lastmax:sb/ib/)
  for(i=0;i<N;i++){
    if(sb <= b[i]){
      ib = i;
      sb = b[i];
    }
  }
#pragma xmp loop (i) on t1(i,:,:) reduction(^:sa)
  for(i=0;i<N;i++)
    sa = sa^a[i];
#pragma xmp loop (i) on t3(:,:,i) reduction(MIN:sc)
  for(i=0;i<N;i++)
    if (sc > c[i]) sc = c[i];
  if(sb != big || ib != at || sa != x || sc != small) result = -1;
#pragma xmp reduction(+:result)
#pragma xmp task on p(1)
  {
    if(result == 0){
      printf("PASS\n");
    }
    else{
      fprintf(stderr, "ERROR\n");
      exit(1);
    }
  }
  return 0;
}
