// Package remoterun has runs of a session worked at on other machines, and is the place where they
// work there. It joins machines (who may work at a run), checkout (the files, there and back) and
// agent/remote (what a run and its host say to each other); none of these knows of the others.
//
//	host: Runs.Work                                  worker: Workplaces.Prepare
//	  Home.Send ─┐                                     ┌─► Cache.Receive: the checkout
//	  Place ─────┴─► Grant, placed is recorded ────────┘
//	  remote.Host.Work ◄──────── Pipe ───────────────► Start: a process, run-worker
//	  Home.Return: the worktree ◄── Result ─────────── Finish: what has changed
//	  End ───────────────────────────────────────────► Remove
//
// An attempt whose worker is lost ends the run, or begins again if its type says that it may.
package remoterun
