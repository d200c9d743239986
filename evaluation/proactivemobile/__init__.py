"""ProactiveMobile: one moment in four dimensions, one proposal or silence."""
