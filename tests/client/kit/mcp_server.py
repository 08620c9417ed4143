"""A stdio MCP server for tests: each tool says what it got.

    python -I -S mcp_server.py SPECS TOOL…

A tool with a spec file of its own (SPECS/TOOL.json, as for probe.py: `log`, `name`, `reply` or `stdout`, `sleep`)
records the call and answers as the spec says: that is how an mcp_tool hook speaks.
"""

import json
import os
import sys
import time

PROPERTIES = {"questions": {"type": "array"}, "answers": {"type": "object"}, "text": {"type": "string"}}


def tool(name: str) -> dict:
    return {"name": name, "description": name, "inputSchema": {"type": "object", "properties": PROPERTIES}}


def called(name: str, arguments: dict, specs: str) -> dict:
    path = os.path.join(specs, name + ".json")
    if not os.path.exists(path):
        return text("MCP got " + json.dumps(arguments))
    with open(path, encoding="utf-8") as handle:
        spec = json.load(handle)
    record(spec, arguments)
    time.sleep(spec.get("sleep", 0))
    said = json.dumps(spec["reply"]) if "reply" in spec else spec.get("stdout", "")
    return {**text(said), "isError": bool(spec.get("exit"))}


def text(words: str) -> dict:
    return {"content": [{"type": "text", "text": words}]}


def record(spec: dict, arguments: dict) -> None:
    """A record such as probe.py writes; the arguments are all that a tool is given."""
    now = time.time()
    seen = {"name": spec["name"], "number": 0, "start": now, "end": now, "pid": os.getpid(), "cwd": os.getcwd()}
    seen.update(env={}, raw=json.dumps(arguments), payload=arguments, tty=[], finished=True)
    with open(os.path.join(spec["log"], f"{spec['name']}.{time.time_ns()}.json"), "w", encoding="utf-8") as handle:
        json.dump(seen, handle)


def answer(request: dict, specs: str, tools: list[str]) -> dict:
    match request["method"]:
        case "initialize":
            version = request["params"]["protocolVersion"]
            server = {"name": "stub", "version": "1"}
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
        case "tools/list":
            return {"tools": [tool(name) for name in tools]}
        case "tools/call":
            return called(request["params"]["name"], request["params"].get("arguments", {}), specs)
    return {}


def main(specs: str, tools: list[str]) -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request:  # the rest are notifications
            result = answer(request, specs, tools)
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
