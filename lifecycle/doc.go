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
// If the journal refuses a write, the trees go back to what it holds, and every caller gets the
// reason. A run whose end was refused is given up: it is shown as not saved, and the next start
// finds it interrupted. What waits for a slot or for a notification is tried again until it
// succeeds; if nothing waits, the journal is still tried, so that the fault is shown as long as
// it lasts.
//
// # One run
//
//	Do(Send), Scope.Start ──► spawn: queued, or started
//	  └─ Options.Attach reads what a person's message names, before it opens a run or,
//	     if it has to wait, before the step that takes it in: it is written with it
//	started, saved ──► drive ──► Worker(ctx, Port) ──► Outcome
//	                               │  Port.Step      notifications and messages in
//	                               │  Port.Record    what it did
//	                               │  Port.Answered  a tool's result, and whose end it tells
//	Outcome ──► verdict ──► end: ended + notification_queued + the next in line
//	                             + an idle parent's wake-up, in one transaction; what a
//	                             person stops wakes it once, 3 s later (gather.go), and
//	                             what their own word to a subagent began not at all
//
//	Do(Compact) ── idle: spawn, with TriggerCompact ──► a run that sums up, and takes nothing in
//	            └─ busy: kept, and carried out in the transaction that ends the run
//
// Every end is told once: by the result of the call that waited for it or stopped
// it, or by a notification. A call that comes back without the end leaves the run
// behind (warned: left_behind), in the transaction of its result, and the end is
// owed from there on.
//
// # One question
//
//	Port.Ask ──► Permissions.Consider: the user's rules, what was granted, the user's hooks
//	               ├─► granted by a rule, or granted or denied by a hook
//	               ├─► granted by what stands (Permissions.Reaches), under the lock
//	               ├─► nobody to ask: denied, and kept on the run. Who spoke to an ended subagent is
//	               │   there until Do(Leave)
//	               └─► permission_asked ──► Do(Resolve) ──► Permissions.Settle ──► granted, or denied with
//	                                           │            a reason for the model; what stands is held
//	                                           └─ for always: Permissions.Keep makes the question's rules
//	                                              the user's own, then all that waits is held against
//	                                              Permissions.Covers
//
//	Refusals: what is denied to a session over its runs, and was not granted since
//	Do(Grant) ──► what of it was chosen: permission_granted on the run that is told, which is the
//	              one that works or a new one; Permissions.Settle says which grants stand from then on
//	StandingGrants, Revoke: which yes reaches beyond its call now, in this process, and the way to
//	                        take it back
//
// # One shell
//
// A command in the background is a run too, of another kind, in a session of its
// own (shell.go). Any session may start one, a subagent as well; it takes no slot,
// no message and no second run.
//
//	Scope.StartShell ──► spawn: started at once, or refused beyond the limit
//	its end ──► its parent is told, at the next step or by a wake-up, as of any run
//	a subagent's end, or a stop of it ──► its shells are stopped: run_end
//	                                      and nobody is told of them any more
//
// # Two writers
//
// A tool's end names the file that the call wrote. Where two runs wrote the same one
// while both worked, that transaction warns both (warned: write_overlap), and Step tells
// each model (overlap.go).
//
// # Stops
//
// A stop cancels the context of a run, with a cause; it is a request. The state
// changes when the worker returns, and verdict, a pure function, says to which.
//
// # Two planes
//
// Records are durable, ordered and never dropped. Progress keeps the newest
// value of each run. Watch gives both to whoever wants them, through a cursor:
// no queue, no drop, no back-pressure.
//
// Spans reads from the same records what a run did when: steps, requests, tools,
// questions, warnings. Whatever draws time draws those.
package lifecycle
