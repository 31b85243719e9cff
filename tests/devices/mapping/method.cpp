// A method maps an object, and not what its member points to.
// @finds: missing-map field.data
#include <cstdio>

class Field {
    int size;
    double *data;

  public:
    explicit Field(int size) : size(size), data(new double[size]()) {}
    ~Field() { delete[] data; }
    double sum() {
        double all = 0;
#pragma omp target map(to : this[0 : 1]) map(tofrom : all)
        for (int i = 0; i < size; i++)
            all += data[i]; // @here
        return all;
    }
};

int main() {
    Field field(20);
    std::printf("%g\n", field.sum());
}
