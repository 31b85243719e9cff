// One team of a league sleeps; the function with the league, and the team's code, leave by jumps.
// @kind: system-call
// @also: -O2
// @debuggers
#include "hang.h"

static int sum;

__attribute__((noinline)) static void league(void) {
    #pragma omp teams num_teams(2) thread_limit(1) // <A>
    if (omp_get_team_num() == 0) {
        sum++;
        pause(); // <A>
    }
}

__attribute__((noinline)) static void begin(int count) {
    if (count > 1) sum++;
    league();
}

int main(int words, char **program) {
    (void)program;
    ready();
    begin(words);
    return sum;
}
