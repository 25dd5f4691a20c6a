// Linked into every test program of a sanitizer build.

/// Libraries that keep memory for themselves until the process ends, by design: CLN (under cvc5)
/// allocates constants when it is loaded and frees none of them.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libcln\n";
}
