// A server gives each request's answer to a promise. The computation of one answer throws, and the
// handler only tells the user about it.
// @kind: waits-for-ever
// @says: serve has a way past what would end that, at skips_promise_in_handler.cpp:32: an exception leads to its handler at skips_promise_in_handler.cpp:33
// @never: main has a way
// @stock: waits-for-ever
// @also: -O0
#include "hang.h"

#include <cmath>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>
#include <vector>

static std::mutex mutex;
static std::map<int, std::promise<double>> open_requests;

static double solve(int id) {
    if (id % 7 == 5) throw std::domain_error("singular");
    return std::sqrt(id);
}

static __attribute__((noinline)) void serve(int id) {
    try {
        double value = solve(id);
        std::lock_guard<std::mutex> guard(mutex);
        auto found = open_requests.find(id);
        if (found == open_requests.end()) std::terminate();
        // The answer.
        found->second.set_value(value); // <B>
    } catch (const std::exception &error) {
        fprintf(stderr, "request %d: %s\n", id, error.what());
    }
}

static double collect(std::vector<std::future<double>> &answers) {
    double sum = 0;
    for (auto &answer : answers) sum += answer.get(); // <A>
    return sum;
}

int main() {
    std::vector<std::future<double>> answers;
    for (int id = 0; id < 20; id++) answers.push_back(open_requests[id].get_future());
    double sum = 0;
    ready();
    #pragma omp parallel sections num_threads(2)
    {
        #pragma omp section
        for (int id = 0; id < 20; id++) serve(id);
        #pragma omp section
        sum = collect(answers);
    }
    return sum > 0;
}
