"""Check what registered hooks really do: start them as the client would, interpret their answers (verify_hooks)."""
