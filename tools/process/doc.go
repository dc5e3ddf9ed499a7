// Package process is the only way to start programs: it runs each under a helper process, and
// ends everything that the program started together with it.
//
// One call that starts a program:
//
//	tool                 launcher                   helper (package launch)
//	 │ Run(ctx, Command) ►│ mode: tried once           │
//	 │                    │ start on a locked thread ─►│ namespace, or subreaper, or group
//	 │                    │ clean environment, mark    │ confines itself, if told to,
//	 │                    │ sandbox: where it may write│ starts the program, reaps
//	 │◄── Latest(line) ───│◄─ output: head and tail ───│
//	 │ ctx ends ─────────►│ control pipe: stop ───────►│ TERM to all, 500 ms, KILL
//	 │                    │◄─ report: exit code, left ─│ when nothing is left
//	 │                    │ no report: what carries    ╳ killed
//	 │                    │ the mark is killed
//	 │◄── Finished ───────│ at most 2 s after ctx ended
//
// What a model wants run is started with a sandbox.Policy, which works out from folder,
// environment and settings what the helper is to keep it from. An output goes to
// outputs.Store while it comes, once it is more than is held.
package process
