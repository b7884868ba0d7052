#ifndef PARAM_H
#define PARAM_H
#define NDX 2
#define NDY 2
#define MX0 9
#define MY0 9
#define MZ0 17
#define MIMAX MX0
#define MJMAX MY0
#define MKMAX MZ0
#endif
