// <string.h>, byte by byte. Copies and fills of memory itself are known to the front end.

typedef __SIZE_TYPE__ size_t;
#define NULL ((void *)0)

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n] != '\0') ++n;
  return n;
}

size_t strnlen(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n] != '\0') ++n;
  return n;
}

int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] != '\0' && a[i] == b[i]) ++i;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (a[i] == '\0') return 0;
  }
  return 0;
}

char *strcpy(char *to, const char *from) {
  size_t i = 0;
  for (; from[i] != '\0'; ++i) to[i] = from[i];
  to[i] = '\0';
  return to;
}

char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i] != '\0'; ++i) to[i] = from[i];
  for (; i < n; ++i) to[i] = '\0';
  return to;
}

char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  size_t end = strlen(to), i = 0;
  for (; i < n && from[i] != '\0'; ++i) to[end + i] = from[i];
  to[end + i] = '\0';
  return to;
}

char *strchr(const char *s, int c) {
  for (;; ++s) {
    if (*s == (char)c) return (char *)s;
    if (*s == '\0') return NULL;
  }
}

char *strrchr(const char *s, int c) {
  char *found = NULL;
  for (;; ++s) {
    if (*s == (char)c) found = (char *)s;
    if (*s == '\0') return found;
  }
}

char *strstr(const char *s, const char *part) {
  size_t n = strlen(part);
  for (;; ++s) {
    if (strncmp(s, part, n) == 0) return (char *)s;
    if (*s == '\0') return NULL;
  }
}

size_t strspn(const char *s, const char *accepted) {
  size_t n = 0;
  while (s[n] != '\0' && strchr(accepted, s[n]) != NULL) ++n;
  return n;
}

size_t strcspn(const char *s, const char *rejected) {
  size_t n = 0;
  while (s[n] != '\0' && strchr(rejected, s[n]) == NULL) ++n;
  return n;
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; ++i)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *x = s;
  for (size_t i = 0; i < n; ++i)
    if (x[i] == (unsigned char)c) return (void *)(x + i);
  return NULL;
}
