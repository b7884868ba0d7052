// ranks: 4
// Transposed arrays in templates that count from 1, nested loop directives, tasks on rows of nodes.
#include <xmp.h>
#include <stdio.h>
#pragma xmp nodes p(2,2)
#pragma xmp template t(10,10)
#pragma xmp distribute t(block,block) onto p
int x[10][10];
#pragma xmp align x[i][j] with t(j+1,i+1)
int main(int argc, char *argv[]){
  int i,j,sum=0,k;
#pragma xmp loop (i) on t(:,i+1)
  for(i=0;i<10;i++){
#pragma xmp loop (j) on t(j+1,:)
    for(j=0;j<10;j++){ x[i][j]=i*10+j; }
  }
#pragma xmp loop (j,i) on t(j+1,i+1) reduction(+:sum)
  for(i=0;i<10;i++){ for(j=0;j<10;j++){ sum+=x[i][j]; } }
#pragma xmp task on p(*,1)
  k=1;
#pragma xmp task on p(:,2)
  k=2;
  int e = sum != 4950 || k != (xmp_node_num() + 1) / 2;
#pragma xmp reduction(+:e)
#pragma xmp task on p(1,1)
{ if(e==0){ printf("PASS\n"); } else { printf("ERROR %d %d\n", sum, k); return 1; } }
  return 0;
}
