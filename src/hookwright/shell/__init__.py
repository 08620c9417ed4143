"""What a command means."""
