-- The ledger's tables, as database.py makes them. `datasette ledger.db` shows them as they are; the view `events` has
-- one row per journal line with every name written out.
CREATE TABLE event_rows (             -- one row per journal line; read it through the view `events`
    seq INTEGER PRIMARY KEY,          -- order of arrival here; a cursor for exporters of rows
    id TEXT NOT NULL UNIQUE,          -- of the journal record; begins with its time, so it is the index of time too
    time REAL NOT NULL,               -- seconds since 1970
    event TEXT,                       -- PreToolUse, PostToolUse, Stop, …
    session INTEGER,                  -- sessions.no
    prompt INTEGER,                   -- prompts.no
    tool_use_id TEXT,
    agent_id TEXT,
    project INTEGER,                  -- projects.no
    tool TEXT,
    command INTEGER,                  -- commands.no
    key TEXT,                         -- only where the record has a key and no command
    answer TEXT,                      -- what was sent in one word; null is silence
    duration_ms REAL,                 -- as the client measured it; a launch time when outcome is background
    outcome TEXT,                     -- ok, failed, timed_out, interrupted, background
    exit_code INTEGER,
    task_id TEXT,                     -- of a background command
    us INTEGER,                       -- what the hooks of this event took
    version TEXT,
    agent TEXT,                       -- which agent sent the event; null is claude
    policy TEXT,                      -- revision of the administrator's policy that was in force
    decisions TEXT,                   -- JSON: hook, verdict, reason, us, mode of each hook; [hook, us] of a silent one
    changed TEXT,                     -- JSON: input fields that were changed
    masked TEXT,                      -- JSON: where a secret was covered
    truncated TEXT,                   -- JSON: fields that were cut
    extra TEXT                        -- JSON: anything else
);
CREATE INDEX events_session ON event_rows (session, time);
CREATE INDEX events_project ON event_rows (project, time);
CREATE INDEX events_call ON event_rows (tool_use_id) WHERE tool_use_id IS NOT NULL;
CREATE INDEX events_answered ON event_rows (id) WHERE answer IS NOT NULL;
CREATE INDEX events_questions ON event_rows (id) WHERE tool LIKE '%AskUserQuestion';
CREATE INDEX events_problems ON event_rows (id) WHERE event IS NULL;
CREATE INDEX events_behind ON event_rows (id) WHERE outcome = 'background';
CREATE TABLE sessions (               -- one row per session, with what happened in it
    no INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    project TEXT,                     -- of its latest event
    first REAL,                       -- time of its first and last event
    last REAL,
    events INTEGER NOT NULL DEFAULT 0,
    stopped INTEGER NOT NULL DEFAULT 0,   -- events answered with deny or block
    asked INTEGER NOT NULL DEFAULT 0,     -- events answered with ask
    moved INTEGER NOT NULL DEFAULT 0,     -- commands moved to the background
    answered INTEGER NOT NULL DEFAULT 0   -- questions that were answered without the user
);
CREATE INDEX sessions_last ON sessions (last);
CREATE TABLE projects (no INTEGER PRIMARY KEY, project TEXT NOT NULL UNIQUE);
CREATE TABLE prompts (no INTEGER PRIMARY KEY, prompt_id TEXT NOT NULL UNIQUE);
CREATE TABLE commands (               -- each command once
    no INTEGER PRIMARY KEY,           -- a hash of the text
    command TEXT NOT NULL,            -- redacted
    key TEXT,                         -- the command without its particulars
    intent TEXT                       -- server, test, build, install, git, search, other
);
CREATE INDEX commands_new ON commands (no) WHERE key IS NULL;
CREATE VIEW events AS
SELECT e.seq, e.id, e.time, e.event, s.session_id, r.prompt_id, e.tool_use_id, e.agent_id, p.project, e.tool, c.command,
       coalesce(c.key, e.key) AS key, c.intent, e.answer, e.duration_ms, e.outcome, e.exit_code, e.task_id, e.us,
       e.version, coalesce(e.agent, 'claude') AS agent, e.policy, e.decisions, e.changed, e.masked, e.truncated, e.extra
FROM event_rows e
LEFT JOIN sessions s ON s.no = e.session
LEFT JOIN projects p ON p.no = e.project
LEFT JOIN commands c ON c.no = e.command
LEFT JOIN prompts r ON r.no = e.prompt;
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
CREATE TABLE daily (                  -- counts per day, kept for two years: older events are gone, these stay
    day INTEGER NOT NULL,             -- days since 1970-01-01, UTC
    project TEXT NOT NULL,            -- '' where the record names none
    kind TEXT NOT NULL,               -- what is counted, see docs/ledger.md
    name TEXT NOT NULL,               -- the event, the hook and its verdict, the command's key, …
    n INTEGER NOT NULL,
    seconds REAL NOT NULL DEFAULT 0,
    PRIMARY KEY (day, kind, name, project)
) WITHOUT ROWID;
CREATE TABLE samples (                -- how long a command took, from events and from transcripts
    session INTEGER NOT NULL,         -- sessions.no; session and tool use name the call
    tool_use_id TEXT NOT NULL,
    time REAL NOT NULL,
    project INTEGER,                  -- projects.no
    command INTEGER NOT NULL,         -- commands.no
    seconds REAL NOT NULL,
    kind TEXT NOT NULL,               -- exact; least: it took longer than that; most: it had ended by then
    weight REAL NOT NULL,
    source TEXT NOT NULL,             -- ledger or transcript
    moved INTEGER,                    -- whether we moved it to the background; null: not known
    counted TEXT,                     -- JSON, of a bound: what it added to each sum, so that it can be taken out again
    PRIMARY KEY (tool_use_id, session)
) WITHOUT ROWID;
CREATE INDEX samples_project ON samples (project, time);
CREATE TABLE sums (                   -- what is learned: sums of the samples of each key, see docs/learning.md
    project TEXT NOT NULL,            -- '' is shared by all projects
    level TEXT NOT NULL,              -- the key, or a wider one
    parent TEXT,                      -- the next wider level; null: the widest
    parent_project TEXT,
    tier TEXT NOT NULL,               -- static class: force, suggest or none
    n REAL NOT NULL,                  -- weight of all runs, decayed
    s1 REAL NOT NULL,                 -- sum of weight · ln(seconds), decayed
    s2 REAL NOT NULL,                 -- sum of weight · ln(seconds)², decayed
    time REAL NOT NULL,               -- until when they are decayed: the latest run
    weight REAL NOT NULL,             -- weight of all runs, not decayed
    runs INTEGER NOT NULL,
    over_60 INTEGER NOT NULL,         -- runs longer than 60 s
    censored INTEGER NOT NULL,        -- runs of which only a bound is known
    background INTEGER,               -- whether the latest run was moved to the background
    PRIMARY KEY (project, level)
) WITHOUT ROWID;
CREATE TABLE unpublished (project TEXT PRIMARY KEY) WITHOUT ROWID;  -- projects whose sums changed since they were published
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
CREATE INDEX questions_time ON questions (time);
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
CREATE INDEX hook_runs_time ON hook_runs (time);
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
SELECT s.session_id, pre.tool_use_id, pre.time, p.project, pre.tool, c.command, c.key, pre.answer, post.outcome,
       post.exit_code, post.duration_ms, pre.id AS pre_id, post.id AS post_id
FROM event_rows pre
LEFT JOIN event_rows post ON post.tool_use_id = pre.tool_use_id AND post.session IS pre.session
      AND post.event IN ('PostToolUse', 'PostToolUseFailure')
LEFT JOIN sessions s ON s.no = pre.session
LEFT JOIN projects p ON p.no = pre.project
LEFT JOIN commands c ON c.no = coalesce(post.command, pre.command)
WHERE pre.event = 'PreToolUse' AND pre.tool_use_id IS NOT NULL;
