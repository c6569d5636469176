/* A library to preload that fails a call on files below a folder, or keeps a log of all of them.
 *
 * FAULT_FOLDER is the folder. FAULT_LOG is a file to which every call that changes a file is
 * appended, as the test reads it. FAULT_AT is the number, from 1, of the first call that fails with
 * FAULT_ERROR, and FAULT_COUNT how many fail from there: 1 if it is left out. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static int log_file = -1, error_number;
static long first, count, calls;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long number_of(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    folder = getenv("FAULT_FOLDER");
    const char *log = getenv("FAULT_LOG");
    if (log) log_file = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    first = number_of("FAULT_AT", 0);
    count = number_of("FAULT_COUNT", 1);
    error_number = (int)number_of("FAULT_ERROR", EIO);
}

static int is_watched(const char *path) {
    return folder && strncmp(path, folder, strlen(folder)) == 0;
}

/* The path of an open file, if it is watched. */
static int path_of(int file, char *path) {
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return is_watched(path);
}

/* Whether the next call has to fail. */
static int fails(void) {
    calls++;
    if (!first || calls < first || calls >= first + count) return 0;
    errno = error_number;
    return 1;
}

static void put(const void *bytes, size_t length) {
    const char *next = bytes;
    while (length) {
        ssize_t done = REAL(write)(log_file, next, length);
        if (done <= 0) abort();
        next += done, length -= (size_t)done;
    }
}

/* An entry: the kind, a path, a number, and bytes. */
static void note(char kind, const char *path, uint64_t number, const void *bytes, uint32_t length) {
    if (log_file < 0) return;
    int before = errno;
    uint32_t of_path = (uint32_t)strlen(path);
    put(&kind, 1), put(&of_path, 4), put(path, of_path), put(&number, 8), put(&length, 4), put(bytes, length);
    errno = before;
}

static ssize_t written(int file, const void *bytes, size_t length, off_t at, int is_at) {
    char path[PATH_MAX];
    if (!path_of(file, path)) return is_at ? REAL(pwrite64)(file, bytes, length, at) : REAL(write)(file, bytes, length);
    pthread_mutex_lock(&lock);
    ssize_t done = -1;
    if (!fails()) {
        if (!is_at) {
            struct stat found;
            int appends = fcntl(file, F_GETFL) & O_APPEND;
            at = appends && fstat(file, &found) == 0 ? found.st_size : lseek(file, 0, SEEK_CUR);
        }
        done = is_at ? REAL(pwrite64)(file, bytes, length, at) : REAL(write)(file, bytes, length);
        if (done > 0) note('W', path, (uint64_t)at, bytes, (uint32_t)done);
    }
    pthread_mutex_unlock(&lock);
    return done;
}

ssize_t write(int file, const void *bytes, size_t length) { return written(file, bytes, length, 0, 0); }
ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) { return written(file, bytes, length, at, 1); }
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) { return written(file, bytes, length, at, 1); }

#define ON_FILE(name, kind, number, parameters, arguments)                \
    int name parameters {                                                 \
        char path[PATH_MAX];                                              \
        if (!path_of(file, path)) return REAL(name) arguments;            \
        pthread_mutex_lock(&lock);                                        \
        int done = fails() ? -1 : REAL(name) arguments;                   \
        if (done == 0) note(kind, path, (uint64_t)(number), "", 0);       \
        pthread_mutex_unlock(&lock);                                      \
        return done;                                                      \
    }
ON_FILE(fsync, 'S', 0, (int file), (file))
ON_FILE(fdatasync, 'S', 0, (int file), (file))
ON_FILE(ftruncate, 'T', length, (int file, off_t length), (file, length))
ON_FILE(ftruncate64, 'T', length, (int file, off64_t length), (file, length))

#define ON_PATHS(name, kind, parameters, arguments, from, to)             \
    int name parameters {                                                 \
        if (!is_watched(from)) return REAL(name) arguments;               \
        pthread_mutex_lock(&lock);                                        \
        int done = fails() ? -1 : REAL(name) arguments;                   \
        if (done == 0) note(kind, from, 0, to, (uint32_t)strlen(to));     \
        pthread_mutex_unlock(&lock);                                      \
        return done;                                                      \
    }
ON_PATHS(rename, 'R', (const char *from, const char *to), (from, to), from, to)
ON_PATHS(link, 'L', (const char *from, const char *to), (from, to), from, to)
ON_PATHS(linkat, 'L', (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags), from, to)
ON_PATHS(renameat2, 'R', (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags), from, to)
ON_PATHS(unlink, 'U', (const char *path), (path), path, "")

/* Making a file. */
static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if (!(flags & (O_CREAT | O_TRUNC)) || !is_watched(path)) return real(path, flags, mode);
    pthread_mutex_lock(&lock);
    int is_new = access(path, F_OK) != 0, before = errno;
    errno = before;
    int done = (is_new || flags & O_TRUNC) && fails() ? -1 : real(path, flags, mode);
    if (done >= 0 && (is_new || flags & O_TRUNC)) note('T', path, 0, "", 0);
    pthread_mutex_unlock(&lock);
    return done;
}

#define OPEN(name)                                                        \
    int name(const char *path, int flags, ...) {                          \
        va_list rest;                                                     \
        va_start(rest, flags);                                            \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                     \
        return opened(REAL(name), path, flags, mode);                     \
    }
OPEN(open)
OPEN(open64)
