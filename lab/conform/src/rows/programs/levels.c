static int started(void) {
    return 1;
}
int main(void) {
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        void *word, *frame, *region;
        int number, flags;
        int (*around)(int, void **, int *) = (void *)lookup("ompt_get_parallel_info");
        int (*task)(int, int *, void **, void **, void **, int *) =
                (void *)lookup("ompt_get_task_info");
        say("inner", around(0, &word, &number));
        say("inner-size", number);
        say("outer", around(1, &word, &number));
        say("outer-size", number);
        say("none", around(2, &word, &number));
        say("implicit", task(0, &flags, &word, &frame, &region, &number));
        say("implicit-flag", flags & 15);
        say("number", number);
        say("initial", task(1, &flags, &word, &frame, &region, &number));
        say("initial-flag", flags & 15);
        say("no-task", task(2, &flags, &word, &frame, &region, &number));
        say("nulls", task(0, 0, 0, 0, 0, 0));
    }
    return 0;
}
