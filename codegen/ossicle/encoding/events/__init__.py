"""The events of clips while a bank is encoded."""
