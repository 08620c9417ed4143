"""A stdio MCP server for tests: each tool says what it got.

    python -I -S mcp_server.py [TOOL…]            (default: AskUserQuestion echo)

A tool named `reply` answers with its argument `text` and nothing else, which is how an mcp_tool hook speaks.
"""

import json
import sys

PROPERTIES = {"questions": {"type": "array"}, "answers": {"type": "object"}, "text": {"type": "string"}}


def tool(name: str) -> dict:
    return {"name": name, "description": name, "inputSchema": {"type": "object", "properties": PROPERTIES}}


def said(params: dict) -> str:
    arguments = params.get("arguments", {})
    return arguments.get("text", "") if params["name"] == "reply" else "MCP got " + json.dumps(arguments)


def answer(request: dict, tools: list[str]) -> dict:
    match request["method"]:
        case "initialize":
            version = request["params"]["protocolVersion"]
            server = {"name": "stub", "version": "1"}
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
        case "tools/list":
            return {"tools": [tool(name) for name in tools]}
        case "tools/call":
            return {"content": [{"type": "text", "text": said(request["params"])}]}
    return {}


def main(tools: list[str]) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:  # the rest are notifications
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": answer(request, tools)}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["AskUserQuestion", "echo"])
