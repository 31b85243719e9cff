int main(void) {
#pragma omp teams num_teams(2) thread_limit(1)
    sink = 1;
    return 0;
}
