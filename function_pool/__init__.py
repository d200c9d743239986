"""What can be called: 63 function specs, validation, risk and grammar."""
