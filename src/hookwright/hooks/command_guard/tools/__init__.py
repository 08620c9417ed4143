"""The guard for other tools than Bash: MCP servers, searches, the web, subagents, PowerShell; keys in written files."""
