// Package remote runs the loop of one run in another process and keeps everything else
// where it is. That process has no database: it sends what it does over a pipe to Pawl's
// process, which records and numbers it. So the card, the output, stops, notifications and
// exports are the same as for any run.
//
//	Pawl                                         its worker
//	lifecycle.Worker = Host.Work                 agent.Loop with a Port
//	  Start ───────────── a program ───────────►
//	  hello ───────────── run, transcript ─────► Attach
//	             ◄─────── hello ──────────────── the same protocol, or it ends here
//	  agent.Port ◄─────── step, record, … ────── Port.Step, Record, Answered, Ask
//	             ──────── reply, the run now ──►
//	  Host.Tools ◄─────── tool ───────────────── Port.Perform, Lost: shells, the plan
//	             ◄─────── progress ───────────── Port.Report: the newest, 20 a second
//	  ctx ends ────────── stop ────────────────► the loop's context ends
//	  Outcome ◄────────── end ────────────────── Port.End
//	  exit code ◄──────────────────────────────
//
// Both ends are the same binary. Each line is one JSON message. A worker that ends without
// an end message was killed: its run has failed, with the exit code and the worker's last
// output, and its text so far is kept. A worker whose pipe closes stops by itself.
//
// What a faulty worker can take from Pawl is bounded. A message has at most maxLine bytes.
// Quick requests are served before the next message is read, so that a flood waits in the
// pipe; at most maxWaiting others may be waiting. A worker that exceeds this or sends an
// invalid message is killed.
//
// Both processes respect a pause that a provider asks for: the worker's gate asks Pawl's
// before each request, and reports each pause to it.
package remote
