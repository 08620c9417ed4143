-- Version 1 had one wide table of events with every text in every row; it and `samples` are renamed to old_* before this.
INSERT INTO projects (project)
SELECT DISTINCT project FROM old_events WHERE project IS NOT NULL
UNION SELECT DISTINCT project FROM old_samples WHERE project IS NOT NULL;
INSERT INTO sessions (session_id)
SELECT DISTINCT session_id FROM old_events WHERE session_id IS NOT NULL
UNION SELECT DISTINCT substr(id, 1, instr(id, '/') - 1) FROM old_samples WHERE instr(id, '/') > 0;
INSERT INTO prompts (prompt_id) SELECT DISTINCT prompt_id FROM old_events WHERE prompt_id IS NOT NULL;
INSERT OR IGNORE INTO commands
SELECT hash_text(command), command, max(key), max(intent) FROM old_events WHERE command IS NOT NULL GROUP BY command;
INSERT OR IGNORE INTO commands (no, command)
SELECT DISTINCT hash_text(command), command FROM old_samples WHERE command IS NOT NULL;
INSERT INTO event_rows
SELECT e.seq, e.id, e.time, e.event, s.no, r.no, e.tool_use_id, e.agent_id, p.no, e.tool, hash_text(e.command),
       CASE WHEN e.command IS NULL THEN e.key END, e.answer, e.duration_ms, e.outcome, e.exit_code, e.task_id, e.us,
       e.version, NULL, CASE WHEN json_valid(e.extra) THEN json_extract(e.extra, '$.policy') END,
       e.decisions, e.changed, e.masked, e.truncated, e.extra
FROM old_events e
LEFT JOIN sessions s ON s.session_id = e.session_id
LEFT JOIN projects p ON p.project = e.project
LEFT JOIN prompts r ON r.prompt_id = e.prompt_id
ORDER BY e.seq;
INSERT OR IGNORE INTO samples
SELECT s.no, substr(o.id, instr(o.id, '/') + 1), o.time, p.no, hash_text(o.command), o.seconds, o.kind, o.weight,
       o.source, NULL, NULL
FROM old_samples o
JOIN sessions s ON s.session_id = substr(o.id, 1, instr(o.id, '/') - 1)
LEFT JOIN projects p ON p.project = o.project
WHERE o.command IS NOT NULL;
UPDATE samples SET moved = (
    SELECT coalesce(e.changed LIKE '%run_in_background%', 0) FROM event_rows e
    WHERE e.tool_use_id = samples.tool_use_id AND e.session = samples.session AND e.event = 'PreToolUse'
);
DROP TABLE old_events;
DROP TABLE old_samples;
DELETE FROM meta WHERE name IN ('keyed', 'sampled');
