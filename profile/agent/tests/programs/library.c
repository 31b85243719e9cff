// A library that is loaded and unloaded again and again; its regions run in it.
int spin(int rounds) {
    int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < rounds; i++) sum++;
    return sum;
}
