// The kernel uses pages of what a region has newer values of. Calls take a child's end, a message
// and all bytes that there are, as without a device.
// @says: 3 7 5
// @says: 12000 12000 msg
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 12000 };

struct page {
  int numbers[10], status;
  char message[16];
};

static void newer_on_the_device(struct page *page, char *block) {
  int *numbers = page->numbers;
#pragma omp target map(to : numbers[:10], block[:SIZE])
  for (int i = 0; i < 10; i++) numbers[i] = 1, block[i * 1000] = 1;
}

int main(void) {
  struct page *page = calloc(1, sizeof *page);
  char *block = calloc(1, SIZE), *sent = calloc(1, SIZE);
  int pair[2], both[2];
  if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) || pipe(both)) return 1;
  newer_on_the_device(page, block);
  pid_t child = fork();
  if (!child) _exit(3);
  int taken = waitpid(child, &page->status, 0) == child ? WEXITSTATUS(page->status) : -1;
  newer_on_the_device(page, block);
  /* The shell has children of its own. */
  int by_shell = WEXITSTATUS(system("sleep 0; true; (exit 7)"));
  FILE *told = popen("sleep 0; echo 5", "r");
  int number = 0, is_read = fscanf(told, "%d", &number);
  pclose(told);
  printf("%d %d %d\n", taken, by_shell, is_read ? number : -1);
  newer_on_the_device(page, block);
  write(both[1], sent, SIZE);
  long whole = read(both[0], block, SIZE);
  newer_on_the_device(page, block);
  write(both[1], sent, SIZE);
  struct iovec parts[2] = {{block, SIZE / 2}, {block + SIZE / 2, SIZE / 2}};
  long in_parts = readv(both[0], parts, 2);
  write(pair[1], "msg", 4);
  struct iovec one = {page->message, sizeof page->message};
  struct msghdr header = {.msg_iov = &one, .msg_iovlen = 1};
  long message = recvmsg(pair[0], &header, 0);
  printf("%ld %ld %s\n", whole, in_parts, message == 4 ? page->message : "-");
  free(page);
  free(block);
  free(sent);
  return 0;
}
