// Package tools holds what a model can do: one file a tool, its description
// beside it as Markdown. A tool is a value (agent.Tool) made by a constructor
// that is given its world: the workspace, the one door to the file system, and
// the launcher, the one door to processes. No tool opens a file or starts a
// program by itself.
//
// What a person's message names is read by Workspace.Attach, as read and list would,
// and what could be named is listed by Workspace.Names; neither is a tool.
//
// One call that changes a file:
//
//	loop                 edit                    workspace
//	 │ Effect(call) ─────►│ input.decode           │
//	 │                    │ plan ─────────────────►│ locate: inside the folder, links followed
//	 │                    │                        │ load: regular files only, size cap
//	 │                    │◄── change{old, new} ───│ known: is it what the model has read?
//	 │◄─ Effect + diff ───│ show: what the person is asked about
//	 │  (permission)      │                        │
//	 │ Run(call) ────────►│ plan again, must be what was shown
//	 │                    │ apply ────────────────►│ save: temporary file, fsync, rename, fsync
//	 │◄─ Result + diff ───│                        │ saw: the new content is known
//
// One call that starts a program:
//
//	loop                 shell                   launcher                   helper (package launch)
//	 │ Run(ctx, call) ───►│ Run(ctx, Command) ────►│ mode: tried once           │
//	 │                    │                        │ start on a locked thread ─►│ namespace, or subreaper, or group
//	 │                    │                        │ clean environment, mark    │ confines itself, if told to,
//	 │                    │                        │ sandbox: where it may write│ starts the program, reaps
//	 │◄─ Report(line) ────│◄── Latest(line) ───────│◄─ output: head and tail ───│
//	 │ ctx ends ──────────┼───────────────────────►│ control pipe: stop ───────►│ TERM to all, 500 ms, KILL
//	 │                    │                        │◄─ report: exit code, left ─│ when nothing is left
//	 │                    │                        │ no report: what carries    ╳ killed
//	 │                    │                        │ the mark is killed
//	 │◄─ Result ──────────│◄── Finished ───────────│ at most 2 s after ctx ended
//
// What a model wants run is started with a Sandbox: writable works out from folder,
// environment and settings where it may write, frozen what it may not change even
// there, and the helper puts that in force. An escape would be a path that a command
// itself could have put there for the next one: so nothing is taken at its word that
// lies where commands write (findCheckout, writable).
//
// A command in the background is started by shell and run by the worker of its own
// run (Shells.Work), with a launcher that owns it in that run's name; shell_output
// and shell_kill reach it by its shell_id. its run keeps the end of what
// it wrote. For a run in a process of its own all of that is done where the session is
// kept (Home).
//
// The user's hooks are started in the same way (Hooks.Ask), with the call as JSON on
// their standard input, and judged by package hook.
//
// A call that changes a file says which (Result.Wrote): lifecycle tells two runs that
// write the same one. Where a subagent gets a git worktree, PlanWorktree finds the place
// before it is started, and its run makes it.
//
// One result that is too long for a model:
//
//	loop                 Bounded                 outputs of the session     model
//	 │ Run(call) ────────►│ run of the tool        │
//	 │                    │ keep the whole ───────►│ a file, 0600, bounded
//	 │◄─ start, its path, end                      │
//	 │                                             │◄─ read, grep ───────────│ by that path, never to write
//
// A program's output goes there while it comes, once it is more than is held.
package tools
