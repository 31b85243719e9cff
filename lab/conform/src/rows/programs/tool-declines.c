static void heard(void) {
    say("heard", 1);
}
static int started(void) {
    int (*set)(int, entry) = (void *)lookup("ompt_set_callback");
    set(1, heard);
    set(3, heard);
    return 0;
}
int main(void) {
#pragma omp parallel num_threads(2)
    sink = 1;
    return 0;
}
