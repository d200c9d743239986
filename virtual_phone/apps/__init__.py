"""Actions that the phone's apps carry out for an intent."""
