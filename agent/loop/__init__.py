"""Monitors phones: events and due times become triggers; triggers become decisions, questions and actions."""
