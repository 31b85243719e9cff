static void heard(void) {
    say("region", 1);
}
static int started(void) {
    int (*set)(int, entry) = (void *)lookup("ompt_set_callback");
    set(3, heard);
    return 1;
}
int main(void) {
#pragma omp parallel num_threads(2)
    sink = 1;
    lookup("ompt_finalize_tool")();
    say("after", 1);
#pragma omp parallel num_threads(2)
    sink = 2;
    return 0;
}
