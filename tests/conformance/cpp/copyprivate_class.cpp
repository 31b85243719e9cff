// copyprivate of objects with their own assignment.
#include "check.h"
#include <string>
#include <vector>

int main()
{
#pragma omp parallel
    for (int r = 0; r < 30; r++) {
        std::string text;
        std::vector<int> list;
#pragma omp single copyprivate(text, list)
        {
            text = std::string(200, 'a' + r % 26);
            list.assign(r + 1, r);
        }
        CHECK_EQ(text.size(), 200);
        CHECK_EQ(text[199], 'a' + r % 26);
        CHECK_EQ(list.size(), r + 1);
        CHECK_EQ(list.back(), r);
    }
    return check_done();
}
