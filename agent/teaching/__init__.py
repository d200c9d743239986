"""Teaching by example: records what the owner does in an app, and makes a task of it."""
