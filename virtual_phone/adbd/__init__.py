"""The phone's end of the adb line: wire format, streams, services, faults."""
