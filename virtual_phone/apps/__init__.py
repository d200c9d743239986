"""What the apps of the phone do when an intent, a tap or typed text reaches them."""
