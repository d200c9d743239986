"""A model on any OpenAI-compatible server: vLLM, llama-server, llama-cpp-python, or a hosted one."""
