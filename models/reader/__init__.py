"""The learned reader of incoming texts: whether one calls for something, which functions, and where their values stand."""
