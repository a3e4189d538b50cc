"""The curves of clips while a bank is encoded."""
