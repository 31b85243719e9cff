// Members of classes, references, templates, the data of containers.
#include <cstdio>
#include <memory>
#include <vector>

template <typename T> class Field {
    T *data;
    int length;
    T factor;

public:
    Field(int length, T factor) : data(new T[length]), length(length), factor(factor) {
        for (int i = 0; i < length; i++) data[i] = T(i);
    }
    ~Field() { delete[] data; }
    void scale() {
        T *data = this->data;
        T factor = this->factor;
#pragma omp target map(tofrom : data[0 : length])
        for (int i = 0; i < length; i++) data[i] *= factor;
    }
    void shift() {
#pragma omp target map(tofrom : data[0 : length])
        for (int i = 0; i < length; i++) data[i] += factor;
    }
    void enter() {
#pragma omp target enter data map(to : this[0 : 1])
#pragma omp target enter data map(to : this->data[0 : length])
    }
    void leave() {
#pragma omp target exit data map(from : this->data[0 : length])
#pragma omp target exit data map(delete : this[0 : 1])
    }
    T sum() const {
        T sum = 0;
        for (int i = 0; i < length; i++) sum += data[i];
        return sum;
    }
};

static void add(int (&array)[6], int &total) {
#pragma omp target map(tofrom : array, total)
    for (int &item : array) total += item++;
}

int main() {
    Field<double> real(10, 2.5);
    real.scale();
    real.shift();
    std::printf("%g\n", real.sum());
    Field<long> whole(7, 3);
    whole.enter();
    whole.shift();
    whole.leave();
    std::printf("%ld\n", whole.sum());
    int array[6] = {1, 2, 3, 4, 5, 6}, total = 0;
    add(array, total);
    std::printf("%d %d\n", total, array[5]);
    std::vector<int> list(100, 1);
    int *items = list.data(), size = int(list.size());
    long sum = 0;
#pragma omp target teams distribute parallel for map(tofrom : items[0 : size]) reduction(+ : sum)
    for (int i = 0; i < size; i++) sum += items[i] += i;
    std::printf("%ld %d\n", sum, list[99]);
    return 0;
}
