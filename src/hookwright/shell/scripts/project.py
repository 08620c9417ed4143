"""Old name of `hookwright.shell.project_scripts.find_script`; removed in the next release."""

from hookwright.shell.project_scripts.find_script import Project

__all__ = ["Project"]
