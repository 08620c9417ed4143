"""What the working hooks (stop guard, context, notify, format) do once there is something to do.

hooks/<name>.py decides whether there is work → [these modules] do it → a decision
Cold: nothing here is loaded for an event without work. Programs run bounded, with their text treated as data.
"""
