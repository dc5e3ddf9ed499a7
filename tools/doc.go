// Package tools holds what a model can do: one file a tool, its description
// beside it as Markdown. A tool is a value (agent.Tool) made by a constructor
// that is given its world: a workspace.Workspace, the one door to files, and a
// process.Launcher, the one door to programs. No tool opens a file or starts a
// program by itself.
//
// What a person's message names is read by Attach, as read and list would; it is no
// tool.
//
// A command in the background is started by shell and run by the worker of its own
// run (Shells.Work), with a launcher that owns it in that run's name; shell_output
// and shell_kill reach it by its shell_id. Its run keeps the end of what
// it wrote. For a run in a process of its own all of that is done where the session is
// kept (Home).
//
// The user's hooks are started in the same way (Hooks.Ask), with the call as JSON on
// their standard input, and judged by package hook.
//
// A call that changes a file says which (Result.Wrote): lifecycle tells two runs that
// write the same one. Where a subagent gets a git worktree, Places finds the place
// before it is started, and its run makes it.
//
// One result that is too long for a model:
//
//	loop                 Bounded                 outputs of the session     model
//	 │ Run(call) ────────►│ run of the tool        │
//	 │                    │ keep the whole ───────►│ a file, 0600, bounded
//	 │◄─ start, its path, end                      │
//	 │                                             │◄─ read, grep ───────────│ by that path, never to write
package tools
