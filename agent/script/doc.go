// Package script is the model that needs no key: answers by a script, streamed as
// a real model's are. It serves `pawl demo` and tests.
//
//	loop                    Provider                     Model
//	 │ Stream(ctx, req) ─────►│ model(req) ──────────────►│ reads the transcript, says
//	 │                        │◄──────────────── Turn ────│ what comes now; keeps nothing
//	 │                        │ latency
//	 │◄── Delta: a word ──────│ a word, a pause … or ctx ends: back at once
//	 │◄── Delta: a call ──────│
//	 │◄── Response ───────────│ usage: four bytes a token
//
// # The demo
//
// Demo fans out three subagents over the folder it stands in:
//
//	user's prompt ──► root: three agent calls, in the background
//	                    │        layout ── list, read, list ──► report
//	                    │        languages ── glob, glob, list ──► report
//	                    │        open marks ── grep, read, read ──► report
//	                  idle ◄── notification: which ended, and how
//	                  idle ◄── notification with all-terminal: the summary
//
// It claims nothing that a tool result or a notification did not say. Asked to sum
// the conversation up it says that a script cannot, and names the newest message.
//
// # Feature words
//
// From the second message on, or as the first one's only word: stop (agent_list,
// agent_stop), again, foreground or wait, write or edit (pawl-demo.txt), shell or
// run (sleep 1; ls -la). A subagent ends early with its report when a message to it has
// stop, finish, report or enough.
//
// # Files
//
// Load reads a model from a file, one JSON object a line. Blank lines and lines
// that begin with # are skipped. All fields may be left out:
//
//	{"when": {"prompt": "…", "step": 2, "root": true},
//	 "text": "…", "thinking": "…",
//	 "calls": [{"name": "read", "input": {"path": "go.mod"}}],
//	 "stop": "end",
//	 "error": {"kind": "rate_limited", "status": 429, "message": "…", "retry_after": "1s", "times": 2},
//	 "latency": "300ms", "stall": "1h"}
//
// Lines with when go first. prompt is a part of a user's message, a parent's or a
// notification; step counts the answers since that message, from 1; root says
// whether it is the user's own session or a subagent's. Within a run (all since
// the last answer without calls) the newest message that some line fits wins, and
// of its lines the first.
//
// Lines without when are given in their order, one an answer, in each session from
// the first. An answer that was cut off counts if any of its text was streamed.
// When no line is left the request fails and says so.
//
// stop is end, tool_calls, length, refused or unknown; left out, it is tool_calls
// with calls, else end. {} is an answer without text. A string as input is the
// call's arguments as they stand, for ones that are no JSON.
//
// error ends the answer after its text was streamed: kind is provider,
// rate_limited, auth, context_length or refused, by the status if left out; what
// is worth a retry follows from the status, without one only rate_limited is. times
// is how often the line fails, over all sessions, before it succeeds; 0 is always.
//
// latency is the wait before the first word, stall the wait before the end, at any
// pace: a run that is to be stopped in mid-answer stalls for an hour.
//
// {{agent_id}} in a text or an input is the agent_id of the first JSON result in
// the transcript that has one, {{agent_id:2}} the second that differs; so for any
// field that is a text.
package script
