"""Recording what the readers read on a phone, scrubbed, as a bundle that becomes a fixture of the tests."""
