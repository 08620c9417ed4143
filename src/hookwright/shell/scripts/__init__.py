"""Old name of `hookwright.shell.project_scripts`; removed in the next release."""
