-- The ledger's tables, as store.py makes them. Plain on purpose: `datasette ledger.db` shows them as they are.
CREATE TABLE events (
    seq INTEGER PRIMARY KEY,          -- order of arrival here; a cursor for exporters of rows
    id TEXT NOT NULL UNIQUE,          -- of the journal record; begins with its time, so it is the index of time too
    time REAL NOT NULL,               -- seconds since 1970
    event TEXT,                       -- PreToolUse, PostToolUse, Stop, …
    session_id TEXT,
    prompt_id TEXT,
    tool_use_id TEXT,
    agent_id TEXT,
    project TEXT,
    tool TEXT,
    command TEXT,                     -- redacted
    key TEXT,                         -- the command without its particulars
    intent TEXT,                      -- server, test, build, install, git, search, other
    answer TEXT,                      -- what was sent in one word; null is silence
    duration_ms REAL,                 -- as the client measured it; a launch time when outcome is background
    outcome TEXT,                     -- ok, failed, timed_out, interrupted, background
    exit_code INTEGER,
    task_id TEXT,                     -- of a background command
    us INTEGER,                       -- what the hooks of this event took
    version TEXT,
    decisions TEXT,                   -- JSON: hook, verdict, reason, us, mode of each hook that ran
    changed TEXT,                     -- JSON: input fields that were changed
    masked TEXT,                      -- JSON: where a secret was covered
    truncated TEXT,                   -- JSON: fields that were cut
    extra TEXT                        -- JSON: anything else
);
CREATE INDEX events_session ON events (session_id, time);
CREATE INDEX events_project ON events (project, id);
CREATE INDEX events_call ON events (tool_use_id) WHERE tool_use_id IS NOT NULL;
CREATE INDEX events_key ON events (key, time) WHERE key IS NOT NULL;
CREATE INDEX events_answered ON events (id) WHERE answer IS NOT NULL;
CREATE INDEX events_questions ON events (id) WHERE tool LIKE '%AskUserQuestion';
CREATE INDEX events_problems ON events (id) WHERE event IS NULL;
CREATE INDEX events_behind ON events (id) WHERE outcome = 'background';
CREATE TABLE decisions (              -- hooks that spoke or failed; the silent ones are in events.decisions
    event_id TEXT NOT NULL,
    place INTEGER NOT NULL,           -- order in which the hooks ran
    time REAL NOT NULL,
    hook TEXT,
    verdict TEXT,
    reason TEXT,
    us INTEGER,
    mode TEXT,
    failure TEXT,
    PRIMARY KEY (event_id, place)
) WITHOUT ROWID;
CREATE INDEX decisions_hook ON decisions (hook, verdict, time);
CREATE TABLE samples (                -- how long a command took, from events and from transcripts
    id TEXT PRIMARY KEY,              -- session and tool use
    time REAL NOT NULL,
    project TEXT,
    command TEXT,
    seconds REAL NOT NULL,
    kind TEXT NOT NULL,               -- exact; least: it took longer than that; most: it had ended by then
    weight REAL NOT NULL,
    source TEXT NOT NULL              -- ledger or transcript
) WITHOUT ROWID;
CREATE INDEX samples_project ON samples (project, time);
CREATE TABLE questions (              -- what the user was asked, and answered, in transcripts
    id TEXT PRIMARY KEY,              -- session, tool use and number
    time REAL NOT NULL,
    session_id TEXT,
    project TEXT,
    tool TEXT,
    header TEXT,
    question TEXT,
    options TEXT,                     -- JSON
    answer TEXT,
    seconds REAL                      -- from asking to answering
) WITHOUT ROWID;
CREATE TABLE hook_runs (              -- what the client itself wrote about hooks, ours and others'
    id TEXT PRIMARY KEY,
    time REAL NOT NULL,
    session_id TEXT,
    event TEXT,
    name TEXT,                        -- event and matcher
    command TEXT,                     -- redacted
    ms REAL NOT NULL,                 -- as the client measured it, its own waiting included
    exit_code INTEGER
) WITHOUT ROWID;
CREATE TABLE segments (               -- how far each journal segment is read
    name TEXT PRIMARY KEY,
    head BLOB NOT NULL,               -- its first bytes: a new file under an old name is known by them
    offset INTEGER NOT NULL,
    lines INTEGER NOT NULL,
    bad INTEGER NOT NULL,
    closed INTEGER NOT NULL           -- 1: nothing can come any more
) WITHOUT ROWID;
CREATE TABLE transcripts (            -- how far each transcript is read
    path TEXT PRIMARY KEY,
    head BLOB NOT NULL,               -- length and digest of its first bytes, which may hold a prompt
    offset INTEGER NOT NULL,
    carry TEXT NOT NULL               -- JSON: calls that have begun and not ended
) WITHOUT ROWID;
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE VIEW calls AS                  -- one row a tool call: before and after it
SELECT pre.session_id, pre.tool_use_id, pre.time, pre.project, pre.tool, coalesce(post.command, pre.command) AS command,
       coalesce(post.key, pre.key) AS key, pre.answer, post.outcome, post.exit_code, post.duration_ms,
       pre.id AS pre_id, post.id AS post_id
FROM events pre LEFT JOIN events post
  ON post.tool_use_id = pre.tool_use_id AND post.session_id IS pre.session_id
 AND post.event IN ('PostToolUse', 'PostToolUseFailure')
WHERE pre.event = 'PreToolUse' AND pre.tool_use_id IS NOT NULL;
