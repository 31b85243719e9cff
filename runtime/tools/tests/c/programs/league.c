/* A league whose teams the program runs in line, each with a deeper stack than the one before: what
 * the runtime was called from to begin the league is program data by the time it ends. (GCC's code
 * calls the runtime between the teams; LLVM's calls it once.) */
#include <string.h>

static char *volatile seen;

int main(void)
{
  int teams = 0;
#pragma omp target teams num_teams(3) reduction(+ : teams)
  {
    char *block = __builtin_alloca(4096);
    memset(block, 0x55, 4096);
    seen = block;
    teams++;
  }
  return teams < 1 || teams > 3;
}
