"""Days of people, played through the whole system and compared with what was right at each moment."""
