"""A small mksh: parser, expansion and interpreter, as far as callers use it (docs/android-notes.md, shell)."""
