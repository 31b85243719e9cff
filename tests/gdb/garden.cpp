// A region in a region, in the method of a template: its function's name is the compiler's.
#include <cstdio>

template <class T> class Garden {
  public:
    int dig();

  private:
    T beds = 3;
};

template <class T> int Garden<T>::dig() {
    int team = 0;
#pragma omp parallel num_threads(1)
    {
        std::printf("beds %d\n", (int)beds);
#pragma omp parallel num_threads(2) reduction(+ : team) /* inner */
        team += 1;
    }
    return team;
}

int main() {
    Garden<long> garden;
    std::printf("team of %d\n", garden.dig());
    return 0;
}
