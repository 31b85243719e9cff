static int started(void) {
    return 1;
}
static uint64_t ids[2][100];
int main(void) {
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 100; i++)  ids[omp_get_thread_num()][i] = ((uint64_t
            (*)(void))lookup("ompt_get_unique_id"))();
    long equal = 0, *all = (long *)ids;
    for (int i = 0; i < 200; i++) for (int j = 0; j < i; j++) equal += all[i] == all[j];
    say("equal", equal);
    return 0;
}
