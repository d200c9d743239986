"""The web console: a page on this machine, and a consent page that opens on the phone. See ``console.Console``."""
