"""What one-liners do besides deleting and writing files: read secrets, print the environment, empty tables.

rules/inline_code → [check_secrets, check_data] → findings
"""

from __future__ import annotations

from hookwright.hooks.command_guard.code_reader import find_call_arguments, first_argument, path_in, strings_in
from hookwright.hooks.command_guard.rule_api import ask, format_call, quote_word
from hookwright.hooks.command_guard.secret_paths import is_secret_path, may_name_secret

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

READS = ("open(", "fopen(", "open ", "readFileSync(", "readFile(", "createReadStream(", "copyFileSync(", "copyFile(",
         "cpSync(", "File.read(", "File.open(", "File.readlines(", "File.foreach(", "IO.read(", "IO.readlines(",
         "File.read ", "IO.read ", "file_get_contents(", "readfile(", "file(", "readTextFile(", "readTextFileSync(",
         "Bun.file(", "shutil.copy(", "shutil.copy2(", "shutil.copyfile(", "shutil.copytree(", "shutil.move(",
         "dotenv_values(", "slurp(", "slurp ", "fileinput.input(", "linecache.getlines(", "FileUtils.cp(",
         "FileUtils.cp_r(", "make_archive(", "upload_file(", "read_csv(", "loadtxt(", "runpy.run_path(",
         "ConfigParser().read(", "YAML.load_file(", "io.open(", "codecs.open(", "os.open(", "mmap(", ".add(",
         "path.read(", "cat ")  # fmt: skip
METHODS = ("read_text(", "read_bytes(", "readlines(", "read(")  # of a Path
WHOLE_ENVIRONMENT = (
    *("print(os.environ)", "print(dict(os.environ))", "pprint(os.environ)", "pprint(dict(os.environ))"),
    *("environ.items()", "json.dumps(dict(os.environ", "console.log(process.env)", "dir(process.env)"),
    *("stringify(process.env", "entries(process.env)", "table(process.env)", "puts ENV", "p ENV", "ENV.each"),
    *("ENV.to_h", "print_r($_ENV", "var_dump($_ENV", "print_r(getenv())", "%ENV"),
)
PRINTS = ("print", "console.", "puts", "echo", "write(", "stdout", "say", "dumps", "p ")
SECRET_ENDS = ("TOKEN", "SECRET", "PASSWORD", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "SECRET_KEY")
# Statements and methods that empty a table, a collection or a store.
DATA_LOSS = ("delete_all", "destroy_all", ".objects.all().delete(", "::truncate(", ".truncate(", "deleteMany({})",
             "deleteMany()", "deleteMany({}", "drop_all(", "dropDatabase(", "dropCollection(", "drop_database(",
             "drop_collection(", "deleteCollection(", "delete_collection(", "delete_index(", "indices.delete(",
             "deleteIndex(", "flushall(", "flushdb(", "flushAll(", "flushDb(", "dropTable(", "drop_table(",
             "dropSchema(", ".drop()", "resetDatabase(", "sync({ force: true", "sync({force: true", "synchronize(true",
             "->delete()", "Repo.delete_all", "remove({})", "clear_all(", "purge_queue(", "delete_topic")  # fmt: skip
FILTERS = (".objects.filter(", ".objects.exclude(")
SQL_HEADS = ("DROP ", "TRUNCATE ", "DELETE FROM ", "UPDATE ", "ALTER TABLE ")
RUNS_SQL = ("execute", "query(", "raw(", "exec(", "run(", "prepare(", "executescript", "sql(", "text(", "statement(",
            "unprepared(", "do(")  # fmt: skip
CYPHER = "DETACH DELETE"
MAX_SQL = 4000


def check_secrets(call: Call, code: str, mask: str) -> list[Finding]:
    """A secret file that the code reads or copies, or the environment that it prints."""
    found = []
    if may_name_secret(code):
        for path in list_read_paths(code, mask):
            if is_secret_path(path):
                found.append(
                    ask(f"{call.program} reads {path}, which holds secrets, in `{format_call(call)}`", look_at(path))
                )
                break
    if any(whole in mask for whole in WHOLE_ENVIRONMENT) or (call.has_flag("-p", "--print") and code == "process.env"):
        found.append(
            ask(
                f"`{format_call(call)}` prints the environment with its tokens into the conversation",
                "env | cut -d= -f1",
            )
        )
    elif "environ" in mask or "getenv" in mask or "process.env" in mask or "ENV[" in mask:
        name = find_printed_variable(code, mask)
        if name:
            found.append(
                ask(
                    f"`{format_call(call)}` prints the variable {name} into the conversation",
                    f'test -n "${{{name}:-}}" && echo set',
                )
            )
    return found


def list_read_paths(code: str, mask: str) -> list[str]:
    """The paths that the code opens for reading, or copies."""
    found = []
    for argument in find_call_arguments(code, mask, READS):
        first = first_argument(argument)
        modes = strings_in(argument[len(first) :])
        if not strings_in(first) and modes:
            first = argument  # perl: open F, "<file"
        if modes and modes[0][:1] in ("w", "a", "x", ">") and len(modes[0]) < 4:
            continue
        found.append(path_in(first) or "")
    found += [path_in(argument) or "" for argument in find_call_arguments(code, mask, METHODS, of_owner=True)]
    return [path.lstrip("<") for path in found if path and "\n" not in path]


def find_printed_variable(code: str, mask: str) -> str:
    """`print(os.environ['API_TOKEN'])`: a variable with the name of a secret, in code that prints."""
    if not any(word in mask for word in PRINTS):
        return ""
    for text in strings_in(code):
        if text.isidentifier() and text.isupper() and text.endswith(SECRET_ENDS) and f"{text}=" not in code:
            return text if is_printed(code, mask, text) else ""
    at = mask.find("process.env.")
    name = mask[at + 12 :] if at >= 0 else ""
    while name and not name.isidentifier():
        name = name[: len(name) - 1] if len(name) < 40 else name[:40]
    return name if name.endswith(SECRET_ENDS) and is_printed(code, mask, name) else ""


def is_printed(code: str, mask: str, name: str) -> bool:
    """Whether the name stands among the arguments of a call that prints, as a value and not for its length or truth."""
    for argument in find_call_arguments(
        code, mask, ("print(", "console.log(", "console.error(", "puts ", "echo ", "write(")
    ):
        if name in argument:
            return not any(
                test in argument for test in ("len(", "bool(", "!!", ".length", " in ", "?", "is None", "is not")
            )
    return False


def check_data(call: Call, code: str, mask: str, scene: Scene) -> list[Finding]:
    """Code that empties tables or collections: by a method of the ORM or driver, or by SQL in a string."""
    for words in DATA_LOSS:
        if words in mask:
            return [ask(f"`{format_call(call)}` deletes every record that `{words.strip('(.')}` reaches", "git status")]
    if any(words in mask for words in FILTERS) and ".delete()" in mask:
        return [ask(f"`{format_call(call)}` deletes the records that its filter finds", "git status")]
    if not any(name in mask for name in RUNS_SQL) or ":memory:" in code:
        return []
    for text in strings_in(code):
        head = text.lstrip()[:20].upper()
        if CYPHER in text.upper():
            return [ask(f"`{format_call(call)}` deletes nodes with their relations", "git status")]
        if head.startswith(SQL_HEADS) and len(text) < MAX_SQL:
            finding = scene.evaluate_text(f"psql -c {quote_word(text)}", call.cwd)
            if finding is not None and finding.rule == "sql-destroy":
                if "sqlite" in code:
                    finding.verdict = "ask"
                finding.reason = f"{call.program} runs it: {finding.reason}"
                finding.rule = ""
                finding.call = call
                return [finding]
    return []


def look_at(path: str) -> str:
    if path.rpartition("/")[2].startswith(".env"):
        return f"cut -d= -f1 {quote_word(path)}"
    return f"ls -la {quote_word(path)}"
