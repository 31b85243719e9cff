// A `single nowait` on the line of a `master`: g++ -O2 has the thread that executes it jump.
#include <cstdio>
#include <vector>

template <int N, class F> long stall(std::vector<long> &goods, F price) {
    long sum = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp master
        goods[0] = 9; /* in master */
#pragma omp single nowait
        {
            long local = 3;
#pragma omp taskloop grainsize(N) shared(goods) firstprivate(local)
            for (int i = 1; i < (int)goods.size(); i++) {
                goods[i] = price(i) + local;
            }
        }
#pragma omp barrier /* barrier */
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < (int)goods.size(); i++)
            sum += goods[i];
    }
    return sum;
}

struct Scale {
    int step;
    long operator()(int i) const { return (long)i * step; }
};

int main() {
    std::vector<long> goods(10);
    long sum = stall<3>(goods, Scale{5});
    printf("sum %ld\n", sum);
    return 0;
}
