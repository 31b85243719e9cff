static void down(int left) {
    if (left == 0) {
        stop();
        return;
    }
#pragma omp task if(left & 1) untied
    {
        down(left - 1);
        stop();
    }
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel num_threads(3)
    {
#pragma omp parallel num_threads(1)
        {
            stop();
#pragma omp parallel num_threads(2)
            {
#pragma omp single
                down(3);
                stop();
            }
        }
    }
#pragma omp taskloop num_tasks(3)
    for (int i = 0; i < 6; i++) stop();
#pragma omp teams num_teams(2)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp single
            down(2);
        }
    }
    return 0;
}
