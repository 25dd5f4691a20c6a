// Functions of ours that a module with a new main calls (--entry). The front end puts the calls
// into the module; who replays a run on the module, or runs it, gives them their meaning.
#pragma once

namespace lem::ctext {

/// An object of so many bytes that exists before the program begins, on the heap.
inline constexpr const char kEntryObject[] = "__lemmata_object";
/// How many bytes of it there are in this run.
inline constexpr const char kEntryShrink[] = "__lemmata_shrink";

/// The end of the names of input functions for values that the caller of the entry has.
inline constexpr const char kEntryInput[] = "_of_entry";

}  // namespace lem::ctext
