"""uiautomator2's server on the phone: HTTP JSON-RPC on port 9008, answered from the phone's one state."""
