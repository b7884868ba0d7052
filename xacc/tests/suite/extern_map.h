#ifndef EXTERN_MAP_H
#define EXTERN_MAP_H
#include <stdio.h>
#include <stdlib.h>
#include <xmp.h>
#define SIZE 37
extern double v[SIZE];
#pragma xmp nodes p[*]
#pragma xmp template t[SIZE]
#pragma xmp distribute t[block] onto p
#pragma xmp align v[i] with t[i]
#pragma xmp shadow v[1]
void fill(double a[SIZE], double f);
double total(double a[SIZE]);
void halo(void);
int count(void);
#endif
