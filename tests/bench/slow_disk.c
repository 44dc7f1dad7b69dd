// SPDX-License-Identifier: MIT
// A FUSE file system with one file, `image`, each read of which takes its time. A loop device with
// direct I/O over that is a disk that is equally slow on every machine:
//
//     slow_disk --wait MILLISECONDS --file IMAGE MOUNTPOINT
//
// Run by volumes.py; stays in the foreground until it is unmounted. Read-only. Needs libfuse 3.
#define FUSE_USE_VERSION 312
#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <fuse3/fuse.h>
#include <fuse3/fuse_lowlevel.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

// More than anybody asks at once: a request is to wait for its own time only.
enum { most_requests = 256 };

struct settings {
  const char *wait;
  const char *file;
};

static struct settings settings;
static struct timespec pause_of_a_call;
static int image = -1;

static void wait_a_while(void) {
  if (pause_of_a_call.tv_sec == 0 && pause_of_a_call.tv_nsec == 0) return;
  nanosleep(&pause_of_a_call, NULL);
}

static void *start(struct fuse_conn_info *connection, struct fuse_config *config) {
  connection->max_background = most_requests;
  connection->congestion_threshold = most_requests;
  config->use_ino = 1;
  config->nullpath_ok = 0;
  config->entry_timeout = 1;
  config->attr_timeout = 1;
  return NULL;
}

static int image_status(const char *path, struct stat *status, struct fuse_file_info *file) {
  (void)file;
  memset(status, 0, sizeof *status);
  if (strcmp(path, "/") == 0) {
    status->st_mode = S_IFDIR | 0755;
    return 0;
  }
  if (strcmp(path, "/image") != 0) return -ENOENT;
  return fstat(image, status) == 0 ? 0 : -errno;
}

static int image_open(const char *path, struct fuse_file_info *file) {
  (void)path;
  (void)file;
  return 0;
}

static int image_read(const char *path, char *bytes, size_t size, off_t at,
                      struct fuse_file_info *file) {
  (void)path;
  (void)file;
  wait_a_while();
  const ssize_t count = pread(image, bytes, size, at);
  return count >= 0 ? (int)count : -errno;
}

static const struct fuse_operations image_operations = {
    .init = start, .getattr = image_status, .open = image_open, .read = image_read};

static const struct fuse_opt options[] = {{"--wait %s", offsetof(struct settings, wait), 0},
                                          {"--file %s", offsetof(struct settings, file), 0},
                                          FUSE_OPT_END};

/// In memory, with its holes: dropping the kernel's caches must not make it slower than was said.
static int keep_in_memory(int from) {
  struct stat status;
  const int copy = memfd_create("image", MFD_CLOEXEC);
  if (copy < 0 || fstat(from, &status) != 0 || ftruncate(copy, status.st_size) != 0) return -1;
  off_t begin = 0;
  while ((begin = lseek(from, begin, SEEK_DATA)) >= 0) {
    const off_t end = lseek(from, begin, SEEK_HOLE);
    off_t at = begin;
    while (at < end) {
      static char bytes[1 << 20];
      const size_t rest = (size_t)(end - at);
      const ssize_t count = pread(from, bytes, rest < sizeof bytes ? rest : sizeof bytes, at);
      if (count <= 0 || pwrite(copy, bytes, (size_t)count, at) != count) return -1;
      at += count;
    }
    begin = end;
  }
  return errno == ENXIO ? copy : -1;
}

static int fail(const char *what) {
  fprintf(stderr, "slow_disk: %s: %s\n", what, strerror(errno));
  return 1;
}

int main(int count, char **words) {
  // Whatever ends the benchmark, nothing is left behind.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  // A sleep ends within a tenth of a millisecond of its time, not 50 us later.
  prctl(PR_SET_TIMERSLACK, 1000);
  struct fuse_args arguments = FUSE_ARGS_INIT(count, words);
  if (fuse_opt_parse(&arguments, &settings, options, NULL) != 0) return 2;
  if (settings.file == NULL || arguments.argc != 2) {
    fprintf(stderr, "slow_disk: usage: slow_disk --wait MILLISECONDS --file IMAGE MOUNTPOINT\n");
    return 2;
  }
  const double milliseconds = settings.wait != NULL ? strtod(settings.wait, NULL) : 0;
  const long long nanoseconds = (long long)(milliseconds * 1e6);
  pause_of_a_call.tv_sec = (time_t)(nanoseconds / 1000000000);
  pause_of_a_call.tv_nsec = (long)(nanoseconds % 1000000000);

  const char *const mount_point = arguments.argv[1];
  const int file = open(settings.file, O_RDONLY | O_CLOEXEC);
  image = file >= 0 ? keep_in_memory(file) : -1;
  if (image < 0) return fail(settings.file);
  close(file);

  struct fuse_args mount_words = FUSE_ARGS_INIT(0, NULL);
  fuse_opt_add_arg(&mount_words, "slow");
  fuse_opt_add_arg(&mount_words, "-oro,fsname=slow,subtype=slow");
  struct fuse *const served =
      fuse_new(&mount_words, &image_operations, sizeof image_operations, NULL);
  if (served == NULL || fuse_mount(served, mount_point) != 0) return fail(mount_point);
  fuse_set_signal_handlers(fuse_get_session(served));

  struct fuse_loop_config *const loop = fuse_loop_cfg_create();
  fuse_loop_cfg_set_max_threads(loop, most_requests);
  fuse_loop_cfg_set_idle_threads(loop, most_requests);
  fuse_loop_cfg_set_clone_fd(loop, 0);
  const int status = fuse_loop_mt(served, loop);
  fuse_unmount(served);
  fuse_destroy(served);
  return status == 0 ? 0 : 1;
}
