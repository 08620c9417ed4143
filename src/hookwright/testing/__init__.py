"""For authors of hooks: payload builders for every event, case files, a pytest plugin."""
