int main(void) {
#pragma omp teams num_teams(2) thread_limit(1)
#pragma omp distribute
    for (int i = 0; i < 10; i++) sink = i;
    return 0;
}
