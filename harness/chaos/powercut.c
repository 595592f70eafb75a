/* Keeps, for every file below POWERCUT_ROOT, the content that the last fsync made durable: POWERCUT_SHADOW/<inode>.
 *
 * Preloaded into a process (LD_PRELOAD).  What was written and not synced is in no shadow: whoever puts the shadows back
 * after a SIGKILL has the disk of a machine whose power failed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static int below_root(const char *path) {
    const char *root = getenv("POWERCUT_ROOT");
    size_t length = root ? strlen(root) : 0;
    return length && strncmp(path, root, length) == 0 && path[length] == '/';
}

static void shadow_of(char *name, const char *suffix, ino_t inode) {
    snprintf(name, PATH_MAX, "%s/%llu%s", getenv("POWERCUT_SHADOW"), (unsigned long long)inode, suffix);
}

static int copied(int from, int to) {
    static char buffer[1 << 20];
    off_t at = 0;
    for (ssize_t got; (got = pread(from, buffer, sizeof buffer, at)) != 0; at += got) {
        if (got < 0 || write(to, buffer, got) != got) return 0;
    }
    return 1;
}

static void keep(int fd) {
    char link[64], path[PATH_MAX], draft[PATH_MAX], shadow[PATH_MAX];
    struct stat about;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return;
    path[length] = 0;
    if (!below_root(path)) return;
    shadow_of(shadow, "", about.st_ino);
    shadow_of(draft, ".draft", about.st_ino);
    pthread_mutex_lock(&one_at_a_time);
    int from = open(link, O_RDONLY | O_CLOEXEC), to = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (from < 0 || to < 0 || !copied(from, to) || rename(draft, shadow) != 0) {
        perror("powercut");
        abort();
    }
    close(from);
    close(to);
    pthread_mutex_unlock(&one_at_a_time);
}

static int synced(const char *name, int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int result = real(fd);
    if (result == 0) keep(fd);
    return result;
}

int fsync(int fd) { return synced("fsync", fd); }

int fdatasync(int fd) { return synced("fdatasync", fd); }

/* Another file may get the inode: it must not come up with the content of this one. */
int unlink(const char *path) {
    int (*real)(const char *) = (int (*)(const char *))dlsym(RTLD_NEXT, "unlink");
    char absolute[PATH_MAX], shadow[PATH_MAX];
    struct stat about;
    int ours = lstat(path, &about) == 0 && realpath(path, absolute) && below_root(absolute);
    int result = real(path);
    if (ours && result == 0) {
        shadow_of(shadow, "", about.st_ino);
        real(shadow);
    }
    return result;
}
