// Objects that the host made are mapped, and a region calls their virtual functions.
#include <cstdio>

#pragma omp declare target
struct Shape {
    double scale = 2;
    virtual double area() const { return 0; }
    virtual ~Shape() {}
};
struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    double area() const override { return scale * side * side; }
};
#pragma omp end declare target

__attribute__((noinline)) static double of(const Shape &shape) {
    return shape.area();
}

int main() {
    Square square(3);
    Shape shape;
    double total = 0;
#pragma omp target map(to : square, shape) map(tofrom : total)
    {
        total += of(square) + of(shape);
        const Shape *any = &square;
        total += any->area();
    }
    std::printf("%g\n", total);
    return 0;
}
