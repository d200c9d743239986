"""Set-up, checks, export and deletion: what keeps an installation in order."""
