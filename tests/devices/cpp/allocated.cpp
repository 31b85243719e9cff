// Objects that regions make by `new`, also those of the C++ library: they are the device's, in one
// region, between regions, in threads of teams, and in several regions at once.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

struct Node {
    int value;
    Node *next;
};
struct Shape {
    virtual ~Shape() {}
    virtual int sides() const { return 1; }
};
struct Square : Shape {
    int sides() const override { return 4; }
};

static int in_one_region() {
    int sum = 0;
#pragma omp target map(tofrom : sum)
    {
        Node *list = nullptr;
        for (int i = 0; i < 100; i++) list = new Node{i, list};
        while (list) {
            Node *next = list->next;
            sum += list->value;
            delete list;
            list = next;
        }
        Shape *shape = new Square();
        sum += shape->sides();
        delete shape;
        std::unique_ptr<int[]> numbers(new int[100]);
        for (int i = 0; i < 100; i++) numbers[i] = i;
        std::vector<int> twos(50, 2);
        twos.resize(500);
        for (int two : twos) sum += two;
        std::string text(100, 'x');
        text += text;
        struct alignas(64) Wide {
            int x[16];
        };
        Wide *wide = new Wide[3];
        wide[2].x[3] = 1;
        sum += numbers[99] + int(text.size()) + wide[2].x[3];
        delete[] wide;
    }
    return sum;
}

static int between_regions() {
    Node *head = nullptr;
    int sum = 0;
#pragma omp target data map(tofrom : head)
    {
        for (int round = 0; round < 5; round++) {
#pragma omp target map(tofrom : head)
            for (int i = 0; i < 10; i++) head = new Node{round * i, head};
        }
#pragma omp target map(tofrom : head, sum)
        for (Node *node = head; node; node = node->next) sum += node->value;
#pragma omp target map(tofrom : head)
        while (head) {
            Node *next = head->next;
            delete head;
            head = next;
        }
    }
    return sum;
}

static int in_threads() {
    int sum = 0;
#pragma omp target teams distribute parallel for num_teams(2) reduction(+ : sum) map(tofrom : sum)
    for (int i = 0; i < 200; i++) {
        int *own = new int[50 + i];
        for (int k = 0; k < 50 + i; k++) own[k] = k;
        sum += own[49];
        delete[] own;
    }
    return sum;
}

static int in_regions_at_once() {
    int sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < 8; i++) {
        int mine = 0;
#pragma omp target map(tofrom : mine)
        {
            std::vector<int> values;
            for (int k = 0; k < 300; k++) values.push_back(k + i);
            const int *data = values.data();
#pragma omp parallel for num_threads(2) reduction(+ : mine)
            for (int k = 0; k < 300; k++) mine += data[k];
        }
        sum += mine;
    }
    return sum;
}

int main() {
    std::printf("%d %d %d ", in_one_region(), between_regions(), in_threads());
    std::printf("%d\n", in_regions_at_once());
}
