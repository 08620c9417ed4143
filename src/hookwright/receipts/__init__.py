"""What registered hooks really do: started as the client starts them, judged as the client would."""
