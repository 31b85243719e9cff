static int started(void) {
    int (*next)(int, int *, const char **) = (void *)lookup("ompt_enumerate_states");
    int state = 0x102, count = 0;
    const char *name;
    long seen = 0;
    while (count < 1000 && next(state, &state, &name)) {
        count++;
        seen += (state == 0 && !strcmp(name, "ompt_state_work_serial")) + (state == 1 &&
                !strcmp(name, "ompt_state_work_parallel"))  + (state == 0x14 && !strcmp(name,
                "ompt_state_wait_barrier_explicit")) + (state == 0x100 && !strcmp(name,
                "ompt_state_idle"));
    }
    say("ends", count < 1000);
    say("seen", seen);
    return 1;
}
int main(void) {
#pragma omp parallel num_threads(2)
    sink = 1;
    return 0;
}
