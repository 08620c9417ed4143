"""Old name of `hookwright.runtime`, for entries of settings.json that 0.1.0 wrote; removed in the next release."""
