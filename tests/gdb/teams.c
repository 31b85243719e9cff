/* A league of teams on the host, whose members stand. */
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    alarm(240);
#pragma omp teams num_teams(2) thread_limit(2) /* the league */
    {
        if (omp_get_team_num() == 0) {
#pragma omp parallel num_threads(2) /* region */
            {
                if (omp_get_thread_num() == 1) {
                    printf("standing\n");
                    fflush(stdout);
                    pause(); /* stands */
                }
            }
        }
    }
    return 0;
}
