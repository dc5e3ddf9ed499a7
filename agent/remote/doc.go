// Package remote takes the loop of one run into a process of its own and leaves
// everything else where it is. That process has no database: what it does comes
// over a pipe and is recorded by the one that started it, which numbers it, so
// that card, output, stop, notification and export are those of any run.
//
//	Pawl                                         its worker
//	lifecycle.Worker = Host.Work                 agent.Loop over a Port
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
// Both ends are the same binary. A line is one message in JSON. Whatever ends
// the worker without an end message has killed it: that run has failed, with the
// exit code and what the worker said last. What it was writing is kept. A worker
// whose pipe ends stops by itself.
//
// What a worker gone wild can take of Pawl is bounded. A message is no longer than
// longestLine. What is quickly done is done before the next message is read, so that
// a flood waits in the pipe; of what waits for something there is no more than
// mostWaiting. Beyond that, and for what is no message, its process is ended.
//
// Requests to a provider that asked for a pause are held back on both sides alike:
// the worker's gate asks Pawl's before each, and tells it of each pause.
package remote
