static int started(void) {
    return 1;
}
static long inside(void) {
    uint64_t device, target = 0, operation;
    long answer = ((int (*)(uint64_t *, uint64_t *,
            uint64_t *))lookup("ompt_get_target_info"))(&device, &target, &operation);
    return answer == 1 ? target != 0 : -answer;
}
int main(void) {
    long answer = -1;
#pragma omp parallel num_threads(2)
    sink = 1;
    say("before", inside());
#pragma omp target map(from: answer)
    answer = inside();
    say("inside", answer);
    say("after", inside());
    return 0;
}
