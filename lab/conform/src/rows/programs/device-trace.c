int main(int count, char **words) {
    (void)count;
    if (!getenv("OMPHALOS_DEVICES")) {
        setenv("OMPHALOS_DEVICES", "host", 1);
        execv("/proc/self/exe", words);
    }
    int a = 1;
#pragma omp target map(tofrom: a)
    a += 1;
    return a == 2 ? 0 : 1;
}
