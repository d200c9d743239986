"""Speed, measured side by side with what others use; not part of the wheel."""
