// Package app opens a session: it joins the settings, the store, the models, the loop, the
// tools, the rules and the supervisor, and releases them at the end.
//
//	Options ─► base: settings, database ─► project: what the folder asks for, as far as it is trusted
//	  ─► the session's lock ─► servers, worktrees ─► supervisor ─► Session, for a front end
//	a run starts ─► rules: what binds it ─► worker: the loop, a shell, a worktree or a process
//	  ─► kit: its prompt, its tools, its hooks, what it may do without a question
//	Close ─► runs end with a cause ─► locks, servers and files are released
package app
