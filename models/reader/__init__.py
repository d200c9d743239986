"""The learned reader of incoming texts: whether one calls for something, for which functions, with which values."""
