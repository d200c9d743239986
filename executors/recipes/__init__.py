"""Recipes: the screen steps that carry a function further in an app, per function, app and version."""
