"""The phone's end of the adb connection: wire format, streams, services, faults."""
