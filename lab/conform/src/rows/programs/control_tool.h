#undef _GNU_SOURCE
void *dlsym(void *, const char *);
static void *volatile linked = (void *)omp_get_num_procs;
static int control(int command, int modifier, void *arg) {
    int (*call)(int, int, void *) = dlsym((void *)0, "omp_control_tool");
    return call ? call(command, modifier, arg) : -9;
}
