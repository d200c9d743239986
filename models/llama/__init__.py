"""A vision-language model on llama.cpp, in a child process that may die without us."""
