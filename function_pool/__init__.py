"""The function pool: specs, validation and risk of the functions that can be called."""
