"""KnowU-Bench's general and personalised tasks: heed carries out their requests on a virtual phone, KnowU judges."""
