// Objects with virtual functions are made, used and destroyed in a region.
#include <cstdio>

#pragma omp declare target
struct Shape {
    virtual double area() const = 0;
    virtual ~Shape() {}
};
struct Square : Shape {
    double side;
    explicit Square(double side) : side(side) {}
    double area() const override { return side * side; }
};
struct Disc : Shape {
    double radius;
    explicit Disc(double radius) : radius(radius) {}
    double area() const override { return 3 * radius * radius; }
};
#pragma omp end declare target

int main() {
    double total = 0;
    double sizes[4] = {1, 2, 3, 4};
#pragma omp target map(tofrom : total) map(to : sizes)
    for (int i = 0; i < 4; i++) {
        Square square(sizes[i]);
        Disc disc(sizes[i]);
        const Shape *shapes[2] = {&square, &disc};
        for (const Shape *shape : shapes)
            total += shape->area();
    }
    std::printf("%g\n", total);
    return 0;
}
