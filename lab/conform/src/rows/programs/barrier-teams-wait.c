int main(void) {
#pragma omp teams num_teams(2) thread_limit(1)
    if (omp_get_team_num()) usleep(20000);
    return 0;
}
