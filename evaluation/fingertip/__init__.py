"""FingerTip-20K: suggestions of what a user is about to do, and whether tasks are executed as this user does them."""
