"""Screen steps: their vocabulary, the guards that decide on each, the drivers that perform them, and the player."""
