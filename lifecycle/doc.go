// Package lifecycle holds sessions, runs and the append-only log of records that says
// what happened to them. Everything else is derived from that log: cards, notifications,
// exports, recovery.
//
// It imports the standard library, uuid and internal/words.
//
// # One change
//
// Every change of a run goes through one transaction (tx.go):
//
//	begin ── a draft of the tree's ledger, under the lock
//	  apply ── Ledger.Apply on the draft: refused here, it leaves no trace
//	  apply ── … the next one sees the one before
//	commit ── the draft becomes what the next transaction sees; the writer is woken
//	                 │
//	               write ── Journal.Append: one transaction for all that waited
//	                 │
//	             announce ── saved runs, the trail, watchers' bells,
//	                 │        workers of started runs, waiters of ended ones
//	wait ◄───────────┘        the caller goes on: it is on disk
//
// If a write fails, the trees go back to what the journal holds, and every caller gets the
// reason. A run whose end could not be written is given up: it is shown as not saved, and the
// next start finds it interrupted. Waiting runs and notifications are tried again until they
// succeed; if there are none, the journal is still tested, to show the fault as long as it lasts.
//
// # One run
//
//	Do(Send), Scope.Start ──► spawn: queued, or started
//	  └─ Options.Attach reads the files that a person's message names, before it starts a run
//	     or, if it has to wait, before the step that takes it in: they are written with it
//	started, saved ──► drive ──► Worker(ctx, Port) ──► Outcome
//	                               │  Port.Step      notifications and messages in
//	                               │  Port.Record    what it did
//	                               │  Port.Answered  a tool's result, and which ends it reports
//	Outcome ──► verdict ──► end: ended + notification_queued + the next in line
//	                             + an idle parent's wake-up, in one transaction; runs that a
//	                             person stops wake it once, 3 s later (gather.go), and those
//	                             that a person's message to a subagent started do not
//
//	Do(Compact) ── idle: spawn, with TriggerCompact ──► a run that only summarizes
//	            └─ busy: kept, and carried out in the transaction that ends the run
//
// Every end is reported once: by the result of the call that waited for it or stopped it, or
// by a notification. A call that comes back without the end leaves the run behind (warned:
// left_behind) in the transaction of its result, and a notification is owed from then on.
//
// # One question
//
//	Port.Ask ──► Permissions.Consider: the user's rules, what was granted, the user's hooks
//	               ├─► granted by a rule, or granted or denied by a hook
//	               ├─► granted by a standing grant (Permissions.Reaches), under the lock
//	               ├─► nobody to ask: denied, and kept on the run. A person who wrote to an ended
//	               │   subagent can be asked until Do(Leave)
//	               └─► permission_asked ──► Do(Resolve) ──► Permissions.Settle ──► granted, or denied with
//	                                           │            a reason for the model; grants are kept
//	                                           └─ for always: Permissions.Keep adds the question's rules
//	                                              to the user's own, then Permissions.Covers is asked
//	                                              about all waiting questions
//
//	Refusals: what is denied to a session in its runs, and was not granted since
//	Do(Grant) ──► for each chosen one: permission_granted on the run that is told, the current one
//	              or a new one; Permissions.Settle says which grants stand from then on
//	StandingGrants, Revoke: the grants in this process that cover more than one call
//
// # One shell
//
// A command in the background is a run too, of another kind, in a session of its
// own (shell.go). Any session, subagents included, may start one; it takes no slot, no
// message and no second run.
//
//	Scope.StartShell ──► spawn: started at once, or refused beyond the limit
//	its end ──► a notification to its parent, at the next step or with a wake-up, as for any run
//	a subagent's end, or a stop of it ──► its shells are stopped (run_end), and no notification
//	                                      of them is owed any more
//
// # Two writers
//
// A tool's end names the file that the call wrote. If two runs wrote the same one while both
// worked, that transaction warns both (warned: write_overlap), and Step tells each model
// (overlap.go).
//
// # Stops
//
// A stop cancels the context of a run, with a cause; it is a request. The state
// changes when the worker returns, and verdict, a pure function, says to which.
//
// # Two planes
//
// Records are durable, ordered and never dropped. Progress keeps the newest value of each run.
// Watch gives both to a caller, through a cursor: no queue, no drop, no back-pressure.
//
// Spans reads from the same records what a run did when: steps, requests, tools, questions,
// warnings. All pictures of time are drawn from them.
package lifecycle
