// Package app opens a session: it joins the settings, the store, the models, the loop, the
// tools, the rules and the supervisor, and lets go of them again.
//
//	Options ─► base: settings, database ─► project: what the folder wants, as far as it is trusted
//	  ─► the session's lock ─► servers, worktrees ─► supervisor ─► Session, for a front end
//	a run starts ─► rules: what binds it ─► worker: the loop, a shell, a worktree or a process
//	  ─► kit: its prompt, its tools, its hooks, what it may do without a question
//	Close ─► runs end with a cause ─► locks, servers, files are given back
package app
