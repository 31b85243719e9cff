// Tasks with firstprivate objects: the copy is made at creation and destroyed after the body.
#include "check.h"
#include <memory>
#include <string>
#include <vector>

int main()
{
    auto token = std::make_shared<int>(5);
    long sum = 0, letters = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < 200; i++) {
            std::vector<int> list(10, i);
            std::string text(50, 'x');
#pragma omp task firstprivate(list, text, token) shared(sum, letters)
            {
                long mine = 0;
                for (int v : list)
                    mine += v;
#pragma omp atomic
                sum += mine;
#pragma omp atomic
                letters += text.size();
                CHECK(token.use_count() >= 2);
            }
            list.assign(3, -1);
            text.clear();
        }
#pragma omp taskwait
        CHECK_EQ(token.use_count(), 1);
    }
    CHECK_EQ(sum, 10 * 19900);
    CHECK_EQ(letters, 200 * 50);
    return check_done();
}
