static int started(void) {
    return 1;
}
__attribute__((noinline)) static void ask(void) {
    int nums[] = {-7, -7};
    int (*procs)(void) = (void *)lookup("ompt_get_num_procs"), (*places)(void) =
            (void *)lookup("ompt_get_num_places");
    int (*ids)(int, int, int *) = (void *)lookup("ompt_get_place_proc_ids");
    int (*partition)(int, int *) = (void *)lookup("ompt_get_partition_place_nums");
    say("procs", procs() == omp_get_num_procs());
    say("places", places() > 0 && places() == omp_get_num_places());
    say("ids", ids(0, 0, NULL) >= 1);
    say("partition", partition(1, nums));
    say("beyond", nums[1]);
}
int main(int count, char **words) {
    if (!getenv("OMP_PLACES")) {
        setenv("OMP_PLACES", "threads", 1);
        execv("/proc/self/exe", words);
    }
    omp_get_max_threads();
    ask();
    return 0;
}
