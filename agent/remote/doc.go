// Package remote runs the loop of one run in another process, also on another machine, and keeps
// everything else where it is. That process has no database: it sends what it does over a pipe to
// Pawl's process, which records and numbers it. So the card, the output, stops, notifications and
// exports are the same as for any run.
//
//	Pawl                                         its worker
//	lifecycle.Worker = Host.Work                 agent.Loop with a Port
//	  Start ───────────── a program ───────────►
//	  hello ───────────── run, transcript ─────► Attach
//	             ◄─────── hello ──────────────── the same protocol, or it ends here
//	  agent.Port ◄─────── step, record, … ────── Port.Step, Record, Answered, Ask
//	             ──────── reply, the run now ──►
//	  Host.Tools ◄─────── tool ───────────────── Port.Perform, Lost, Tools: shells, the plan, servers
//	  Host.Hooks ◄─────── hook ───────────────── Port.Hooks
//	  Commands   ──────── command, end_shell ──► Port.OnShell: commands in the background
//	             ◄─────── shell_news, _end ─────
//	             ◄─────── progress ───────────── Port.Report: the newest, 20 a second
//	  ctx ends ────────── stop ────────────────► the loop's context ends
//	  Outcome ◄────────── end ────────────────── Port.End
//	             ──────── (the pipe ends) ─────►
//	  exit code ◄──────────────────────────────
//
// Both ends are the same binary, or on another machine one of the same Protocol. Each line is one
// JSON message. A worker that ends without an end message was killed: its run has failed, with the
// exit code and the worker's last output, and its text so far is kept. A worker whose pipe closes
// stops by itself.
//
// What a faulty worker can take from Pawl is bounded. A message has at most maxLine bytes.
// Quick requests are served before the next message is read, so that a flood waits in the
// pipe; at most maxWaiting others may be waiting. A worker that exceeds this or sends an
// invalid message is killed.
//
// Both processes respect a pause that a provider asks for: the worker's gate asks Pawl's
// before each request, and reports each pause to it.
//
// # On another machine
//
// A run on another machine survives the process that asked for it, and another one goes on in its
// place: a Host with Resume. For that requests are numbered in the order in which they are written,
// and records have the number of their request (Host.Number). The new host sends resume in place
// of hello. The worker answers with its hello, its newest progress, again all requests that wait
// for a reply, marked so, and its end if it has ended. A change that is recorded already is answered
// as if it were new; a call that may have been made is answered by its Lost; everything else is
// done again. What the worker had told the old host before that is skipped. A worker that has not
// been told its hello says so with its own, and is told it then. The commands that it ran in the
// background are ended: their runs ended with the old host.
//
// Whatever carries the pipe (Host.Start) sees to these:
//   - the bytes up to the worker's newest whole line reach a host in order, or are lost with a host
//     that is gone, in whole lines: a new host begins with a whole line;
//   - what a host wrote is given to the worker in order; a part of a line that a dead host left is
//     harmless, because a new host begins with a line of its own;
//   - the worker's pipe ends when a host has closed its own, but stays as it is when the context of
//     Start ends with lifecycle.ErrLeft, or when the host is gone;
//   - it keeps the newest whole line of a worker that has exited, until the run is over at home,
//     and sends it again to a new host: that is its end, which the old one may not have recorded;
//   - nobody else reads the pipe or writes to it: keys of models pass it as they are, and what a host
//     says is done.
package remote
