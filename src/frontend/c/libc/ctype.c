// <ctype.h> in the locale "C", in which programs start. 7.4: the argument is an unsigned char or
// EOF, other numbers are undefined; here they are in none of the classes.

#define CLASS(name, holds)                                   \
  int lemmata_one_##name(int c) {                            \
    CHECK_BOUNDS(c < -1 || c > 255);                         \
    return holds;                                            \
  }                                                          \
  int name(int c) { return nonzero(lemmata_one_##name(c)); }

#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')
#define IS_LOWER(c) ((c) >= 'a' && (c) <= 'z')
#define IS_UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define IS_SPACE(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#define IS_ALNUM(c) (IS_LOWER(c) || IS_UPPER(c) || IS_DIGIT(c))

CLASS(isdigit, IS_DIGIT(c))
CLASS(islower, IS_LOWER(c))
CLASS(isupper, IS_UPPER(c))
CLASS(isalpha, IS_LOWER(c) || IS_UPPER(c))
CLASS(isalnum, IS_ALNUM(c))
CLASS(isblank, c == ' ' || c == '\t')
CLASS(isspace, IS_SPACE(c))
CLASS(iscntrl, (c >= 0 && c < ' ') || c == 127)
CLASS(isprint, c >= ' ' && c < 127)
CLASS(isgraph, c > ' ' && c < 127)
CLASS(ispunct, c > ' ' && c < 127 && !IS_ALNUM(c))
CLASS(isxdigit, IS_DIGIT(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))

// POSIX: of any int.
int lemmata_one_isascii(int c) { return c >= 0 && c <= 127; }
int isascii(int c) { return nonzero(lemmata_one_isascii(c)); }

int tolower(int c) {
  CHECK_BOUNDS(c < -1 || c > 255);
  return IS_UPPER(c) ? c + ('a' - 'A') : c;
}
int toupper(int c) {
  CHECK_BOUNDS(c < -1 || c > 255);
  return IS_LOWER(c) ? c - ('a' - 'A') : c;
}
