// Constructs in the method of a template, with a function object; a main that g++ splits in two.
#include <cstdio>
#include <vector>

struct Scale {
    int step;
    long operator()(int i) const {
        return (long)i * step; /* in function object */
    }
};

template <class T> class Yard {
  public:
    explicit Yard(int n) : goods(n) {}
    long work();

  private:
    std::vector<T> goods;
    int bonus = 5;
};

template <class T> long Yard<T>::work() {
    long sum = 0;
    Scale scale{3};
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(sum) /* task */
        sum += bonus; /* in task */
#pragma omp taskwait
#pragma omp taskloop grainsize(2) /* taskloop */
        for (int i = 0; i < (int)goods.size(); i++)
            goods[i] = scale(i) + bonus; /* in taskloop */
    }
#pragma omp target map(tofrom : sum)
    {
        sum += 100; /* in target */
    }
    for (T each : goods)
        sum += each;
    return sum;
}

int main() {
    Yard<long> yard(6);
    std::vector<int> more(3);
    printf("sum %ld\n", yard.work() + more[1]);
    return 0;
}
