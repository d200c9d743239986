"""What other projects' own code says of the virtual phone and of the executors, in an environment of its own."""
