int main(void) {
    return control(1, 0, 0);
}
