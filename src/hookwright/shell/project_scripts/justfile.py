"""Recipes of a justfile: dependencies first, `{{name}}` substituted, as lines or as whole scripts.

find_script.py → [resolve_task] → recipe lines
"""

from __future__ import annotations

from hookwright.shell.call import Word, join_path, quote_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookwright.shell.call import Call
    from hookwright.shell.project_scripts.find_script import Project

FILES = ("justfile", "Justfile", ".justfile", "JUSTFILE")
VALUED = ("-f", "--justfile", "-d", "--working-directory", "--shell", "--shell-arg", "--color", "--dotenv-path", "-E")
ASKS = (
    "-l",
    "--list",
    "--summary",
    "-n",
    "--dry-run",
    "-s",
    "--show",
    "--evaluate",
    "--version",
    "-h",
    "--help",
    "--dump",
)
MAX_DEPTH = 12
MAX_RECIPES = 100


def resolve_task(project: Project, call: Call, folder: str) -> list[tuple[str, str]]:
    if call.has_flag(*ASKS):
        return []
    file = call.option("-f", "--justfile")
    where = call.option("-d", "--working-directory")
    if file is not None:
        path = join_path(folder, file)
        home = path.rpartition("/")[0] or "/"
    else:
        found = project.find_above(folder, *FILES)
        if found is None:
            return []
        home, name = found
        path = home.rstrip("/") + "/" + name
    if where is not None:
        home = join_path(folder, where)
    data = project.parse_file(path, parse_justfile)
    if data is None:
        return []
    variables = dict(data["variables"])
    words = skip_options(call.words)
    while words and "=" in words[0] and words[0].partition("=")[0].isidentifier():
        name, _, variables_value = words[0].partition("=")
        variables[name] = variables_value
        words = words[1:]
    out: list[tuple[str, str]] = []
    done: set[str] = set()
    if not words and data["first"]:
        words = [Word(data["first"])]
    while words:
        recipe = find_recipe(data, str(words[0]))
        if recipe is None:
            break
        count = count_arguments(recipe, len(words) - 1)
        collect_recipe_lines(data, variables, str(words[0]), words[1 : 1 + count], out, done, home, 0)
        words = words[1 + count :]
    return out


def skip_options(words: Sequence[Word]) -> list[Word]:
    """The recipes and their arguments, without the options of just itself."""
    index = 1
    while index < len(words) and words[index][:1] == "-":
        index += 3 if words[index] == "--set" else 2 if words[index] in VALUED else 1
    return list(words[index:])


def find_recipe(data: Any, name: str) -> Any:
    return data["recipes"].get(data["aliases"].get(name, name))


def count_arguments(recipe: Any, available: int) -> int:
    """How many of the available words are arguments of the recipe."""
    parameters = recipe["parameters"]
    if any(parameter[0] in "*+" for parameter, _ in parameters):
        return available
    return min(len(parameters), available)


def parse_justfile(text: str) -> dict[str, Any]:
    """Variables, aliases, recipes and the first recipe."""
    variables: dict[str, str] = {}
    aliases: dict[str, str] = {}
    recipes: dict[str, Any] = {}
    first = ""
    current: Any = None
    lines = text.split("\n")
    index = 0
    while index < len(lines):
        line = lines[index]
        index += 1
        if line[:1] in {" ", "\t"}:
            if current is not None:
                while line.endswith("\\") and index < len(lines):
                    line = line[:-1].rstrip() + " " + lines[index].strip()
                    index += 1
                current["body"].append(line)
            continue
        bare = line.strip()
        if not bare:
            if current is not None:
                current["body"].append("")
            continue
        current = None
        if bare[0] in "#[" or bare.startswith(("set ", "import ", "mod ", "export ")):
            if not (bare.startswith("export ") and ":=" in bare):
                continue
            bare = bare.removeprefix("export ")
        if bare.startswith("alias "):
            name, _, target = bare.removeprefix("alias ").partition(":=")
            aliases[name.strip()] = target.strip()
            continue
        name, sign, value = bare.partition(":=")
        if sign and name.strip().replace("-", "_").isidentifier():
            variables[name.strip()] = parse_value(value.strip())
            continue
        head, _, after = split_head(bare)
        words = head.lstrip("@").split()
        if not words:
            continue
        current = {
            "parameters": [parse_parameter(word) for word in words[1:]],
            "needs": parse_dependencies(after),
            "body": [],
        }
        recipes[words[0]] = current
        first = first or words[0]
    return {"variables": variables, "aliases": aliases, "recipes": recipes, "first": first}


def split_head(line: str) -> tuple[str, str, str]:
    """`name parameters: dependencies`, where a default value may hold a colon in quotes."""
    quote = ""
    for index, character in enumerate(line):
        if quote:
            if character == quote:
                quote = ""
        elif character in "'\"":
            quote = character
        elif character == ":":
            return line[:index], ":", line[index + 1 :]
    return line, "", ""


def parse_parameter(word: str) -> tuple[str, str]:
    name, _, default = word.lstrip("$").partition("=")
    return name, default.strip("'\"")


def parse_dependencies(text: str) -> list[list[str]]:
    """The dependencies, each with its arguments: `build (test "x")`."""
    found: list[list[str]] = []
    text = text.partition("#")[0].replace("&&", " ")
    while text.strip():
        text = text.strip()
        if text[0] == "(":
            inner, _, text = text[1:].partition(")")
            found.append([word.strip("'\"") for word in inner.split()])
        else:
            name, _, text = text.partition(" ")
            found.append([name])
    return [words for words in found if words]


def parse_value(value: str) -> str:
    """The text of a plain string; anything else becomes an unknown variable or a substitution."""
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    if len(value) > 1 and value[0] == value[-1] == "`":
        return "$(" + value[1:-1] + ")"
    return "$JUST_VALUE"


def collect_recipe_lines(
    data: Any,
    variables: dict[str, str],
    name: str,
    words: Sequence[Word],
    out: list[tuple[str, str]],
    done: set[str],
    folder: str,
    depth: int,
) -> None:
    recipe = find_recipe(data, name)
    key = name + quote_words(words)
    if recipe is None or key in done or depth > MAX_DEPTH or len(done) > MAX_RECIPES:
        return
    done.add(key)
    for need in recipe["needs"]:
        collect_recipe_lines(data, variables, need[0], [Word(word) for word in need[1:]], out, done, folder, depth + 1)
    known = dict(variables)
    for number, (parameter_name, default) in enumerate(recipe["parameters"]):
        many = parameter_name[0] in "*+"
        bare = parameter_name.lstrip("*+$")
        known[bare] = (
            quote_words(words[number:]).strip() if many else str(words[number]) if number < len(words) else default
        )
        if many and number >= len(words):
            known[bare] = default
    lines = [fill_placeholders(line, known) for line in recipe["body"]]
    script = [line for line in lines if line.strip()]
    if script and script[0].strip().startswith("#!"):
        out.append((format_shebang_script(lines), folder))
        return
    out.extend((line.strip().lstrip("@-"), folder) for line in script if line.strip()[0] != "#")


def format_shebang_script(lines: list[str]) -> str:
    """A recipe with a shebang, as a here-document for its interpreter."""
    while not lines[0].strip():
        lines = lines[1:]
    words = lines[0].strip()[2:].split()
    program = (words or ["sh"])[0].rpartition("/")[2]
    if program == "env" and len(words) > 1:
        program = next((word for word in words[1:] if word[:1] != "-"), "sh")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    body = "\n".join([line[indent:] for line in lines[1:]])
    return f"{program} <<'JUST_SCRIPT_ENDS'\n{body}\nJUST_SCRIPT_ENDS\n"


def fill_placeholders(line: str, variables: dict[str, str]) -> str:
    """`{{name}}` replaced; an expression that is not a plain name becomes an unknown variable."""
    if "{{" not in line:
        return line
    parts = line.split("{{")
    out = [parts[0]]
    for piece in parts[1:]:
        expression, closed, rest = piece.partition("}}")
        name = expression.strip()
        out.append((variables.get(name, "$JUST_VALUE") if closed else "{{" + piece) + rest)
    return "".join(out)[:65536]
