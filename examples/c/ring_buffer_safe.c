// A function of a module instead of a program. Whatever buffer the caller has, under the conditions
// that it must keep, nothing is written out of bounds and nothing is divided by zero:
//
//   lemmata check ring_buffer_safe.c --entry rb_put --check bounds,null,division
//     --assume 'rb && rb->data && rb->size > 0 && rb->size <= lemmata_length(rb->data)'
//     --assume 'rb->head < rb->size && rb->count <= rb->size'
//
// Without the conditions there are counterexamples: a buffer without data, one that is shorter than
// `size` says, a size of 0. The program below calls the function, too, and is checked without options.
extern void reach_error(void);

struct ring_buffer {
  int *data;
  unsigned size, head, count;
};

int rb_put(struct ring_buffer *rb, int value) {
  if (rb->count == rb->size) return -1;
  rb->data[rb->head] = value;
  rb->head = (rb->head + 1) % rb->size;
  rb->count++;
  if (rb->head >= rb->size) reach_error();
  return 0;
}

int main(void) {
  int memory[2];
  struct ring_buffer rb = {memory, 2, 0, 0};
  return rb_put(&rb, 1) + rb_put(&rb, 2) + rb_put(&rb, 3);
}
