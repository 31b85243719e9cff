// Objects map themselves in their constructors and unmap themselves in their destructors.
#include <cstdio>
#include <vector>

class Field {
  public:
    explicit Field(int count) : count(count), data(new double[count]) {
        double *data = this->data;
        for (int i = 0; i < count; i++)
            data[i] = i;
#pragma omp target enter data map(to : data[0 : count])
    }
    ~Field() {
        double *data = this->data;
#pragma omp target exit data map(delete : data[0 : count])
        delete[] data;
    }
    double sum() const {
        const double *data = this->data;
        double total = 0;
#pragma omp target map(tofrom : total)
        for (int i = 0; i < count; i++)
            total += data[i];
        return total;
    }
    void add(double value) {
        double *data = this->data;
#pragma omp target teams distribute parallel for
        for (int i = 0; i < count; i++)
            data[i] += value;
#pragma omp target update from(data[0 : count])
    }

  private:
    int count;
    double *data;
};

int main() {
    double all = 0;
    for (int round = 1; round < 6; round++) {
        std::vector<Field *> fields;
        for (int i = 0; i < 4; i++)
            fields.push_back(new Field(100 * round));
        for (Field *field : fields)
            field->add(round);
        for (Field *field : fields)
            all += field->sum();
        for (Field *field : fields)
            delete field;
    }
    std::printf("%g\n", all);
    return 0;
}
