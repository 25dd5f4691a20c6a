// <string.h>, byte by byte. Copies and fills of memory itself are known to the front end. Of the
// order of strings only the sign is defined (7.24.4).

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

int lemmata_one_strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] != '\0' && a[i] == b[i]) ++i;
  return (unsigned char)a[i] - (unsigned char)b[i];
}
int strcmp(const char *a, const char *b) { return of_sign(lemmata_one_strcmp(a, b)); }

// In the locale "C".
int lemmata_one_strcoll(const char *a, const char *b) { return lemmata_one_strcmp(a, b); }
int strcoll(const char *a, const char *b) { return of_sign(lemmata_one_strcmp(a, b)); }

int lemmata_one_strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (a[i] == '\0') return 0;
  }
  return 0;
}
int strncmp(const char *a, const char *b, size_t n) {
  return of_sign(lemmata_one_strncmp(a, b, n));
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
    if (lemmata_one_strncmp(s, part, n) == 0) return (char *)s;
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

// 7.24.4.1: all n bytes of both are compared, so that both must have them.
int lemmata_one_memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
#ifdef LEMMATA_CHECK_MEMORY
  unsigned char last = n == 0 ? 0 : x[n - 1];
  if (n != 0) last = y[n - 1];
  (void)last;
#endif
  for (size_t i = 0; i < n; ++i)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}
int memcmp(const void *a, const void *b, size_t n) { return of_sign(lemmata_one_memcmp(a, b, n)); }

int lemmata_one_bcmp(const void *a, const void *b, size_t n) { return lemmata_one_memcmp(a, b, n); }
int bcmp(const void *a, const void *b, size_t n) { return nonzero(lemmata_one_memcmp(a, b, n)); }

void *memchr(const void *s, int c, size_t n) {
  const unsigned char *x = s;
  for (size_t i = 0; i < n; ++i)
    if (x[i] == (unsigned char)c) return (void *)(x + i);
  return NULL;
}

char *strpbrk(const char *s, const char *accepted) {
  for (; *s != '\0'; ++s)
    if (strchr(accepted, *s) != NULL) return (char *)s;
  return NULL;
}

// As glibc has it: the rest is a string, empty at the end.
char *strtok_r(char *s, const char *separators, char **rest) {
  if (s == NULL) s = *rest;
  s += strspn(s, separators);
  char *end = s + strcspn(s, separators);
  *rest = *end == '\0' ? end : end + 1;
  if (s == end) return NULL;
  *end = '\0';
  return s;
}
char *__strtok_r(char *s, const char *separators, char **rest) {
  return strtok_r(s, separators, rest);
}
static char *of_strtok;
char *strtok(char *s, const char *separators) { return strtok_r(s, separators, &of_strtok); }

static int lower_letter(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c; }

int lemmata_one_strncasecmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    int order = lower_letter(a[i]) - lower_letter(b[i]);
    if (order != 0 || a[i] == '\0') return order;
  }
  return 0;
}
int strncasecmp(const char *a, const char *b, size_t n) {
  return of_sign(lemmata_one_strncasecmp(a, b, n));
}
int lemmata_one_strcasecmp(const char *a, const char *b) {
  return lemmata_one_strncasecmp(a, b, (size_t)-1);
}
int strcasecmp(const char *a, const char *b) {
  return of_sign(lemmata_one_strncasecmp(a, b, (size_t)-1));
}

char *strndup(const char *s, size_t n) {
  size_t size = strnlen(s, n);
  char *made = malloc(size + 1);
  for (size_t i = 0; i < size; ++i) made[i] = s[i];
  made[size] = '\0';
  return made;
}
char *strdup(const char *s) { return strcpy(malloc(strlen(s) + 1), s); }
