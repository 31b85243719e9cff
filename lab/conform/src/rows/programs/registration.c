static void heard(void) {
}
static int started(void) {
    int (*set)(int, entry) = (void *)lookup("ompt_set_callback");
    int (*get)(int, entry *) = (void *)lookup("ompt_get_callback");
    entry found = NULL;
    say("unknown", set(0, heard) + set(-1, heard) + set(1000, heard));
    say("begun", set(1, heard));
    say("there", get(1, &found) == 1 && found == heard);
    say("removed", set(1, NULL));
    say("gone", get(1, &found));
    return 1;
}
int main(void) {
#pragma omp parallel num_threads(2)
    sink = 1;
    return 0;
}
