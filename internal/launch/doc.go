// Package launch is the helper around each program that a tool starts: this same binary in
// another role, which Main takes if os.Args[0] is Name. It keeps track of all processes that the
// program starts, and ends them when the program ends or Pawl is gone. Package tools has Pawl's
// half.
//
//	Pawl (process.Launcher)              helper                               command
//	 │ /proc/self/exe as Name, MODE,      │                                    │
//	 │ path, argv; folder and             │                                    │
//	 │ environment are the command's ────►│ main, before anything else         │
//	 │ control: the Confinement ─────────►│ prepare: loopback; own /proc, or   │
//	 │                                    │ subreaper; mounts, then fewer      │
//	 │                                    │ capabilities, Landlock, the socket │
//	 │                                    │ filter, on this thread             │
//	 │ output ◄───────────────────────────┼── fork, exec in its own session ──►│
//	 │ control ──────────────────────────►│ reaps all children                 │
//	 │   AskHasten: output is closed      │                                    │
//	 │                                    │◄──────────────────────────── ends ─╳
//	 │                                    │ what is left may end by itself: 50 ms,
//	 │                                    │ or 500 ms while it holds the output;
//	 │                                    │ then TERM, 500 ms, KILL, until wait4
//	 │                                    │ knows no child
//	 │◄───────────────────────── Report ──╳
//	 │
//	 │ AskStop ──────────────────────────►│ TERM to all, 500 ms, KILL
//	 ╳ control closes ───────────────────►│ KILL to all
//
// How the processes are kept together depends on the mode. In a namespace the helper is process
// 1: it dies with Pawl, and when it dies the kernel kills all others. A subreaper adopts the
// command's orphans, so every process of the call descends from it; it outlives Pawl until it
// has ended them. With a process group, the mark in the environment finds processes that left
// the group, where there is a /proc.
//
// The command is started by the main thread, after the restrictions that apply to it alone were
// placed on this thread (call.start): dropped capabilities, Landlock and the socket filter. The
// order matters. The loopback and the mounts need capabilities that the next step drops, and
// Landlock forbids mounting. If any part of a Confinement cannot be done the command does not
// start: Pawl must know beforehand what the kernel can do.
package launch
