#undef _GNU_SOURCE
void *dlsym(void *, const char *);
static void *volatile linked = (void *)omp_get_num_procs;
static void stop(void) {
    int (*call)(int, int, void *) = dlsym((void *)0, "omp_control_tool");
    if (call) call(3, 0, 0);
}
