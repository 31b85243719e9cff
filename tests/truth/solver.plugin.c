#define SOLVER
#include "solver.c"
