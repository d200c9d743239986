"""A small mksh: parser, expansion and interpreter, as far as real callers use it (notes: adb.md)."""
