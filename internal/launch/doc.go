// Package launch is the helper around each program that a tool starts: this very
// binary in another role, which Main takes when os.Args[0] is Name. It keeps together
// whatever the program starts, ends it with the program, and ends it when Pawl is
// gone. Package tools has Pawl's half.
//
//	Pawl (process.Launcher)              helper                               command
//	 │ /proc/self/exe as Name, MODE,      │                                    │
//	 │ path, argv; folder and             │                                    │
//	 │ environment are the command's ────►│ main, first thing                  │
//	 │ control: the Confinement ─────────►│ prepare: loopback; own /proc, or   │
//	 │                                    │ subreaper; mounts, then fewer      │
//	 │                                    │ rights, Landlock, the filter of    │
//	 │                                    │ sockets, on this thread            │
//	 │ output ◄───────────────────────────┼── fork, exec in its own session ──►│
//	 │ control ──────────────────────────►│ reaps all that there is            │
//	 │   AskHasten: nobody holds output   │                                    │
//	 │                                    │◄──────────────────────────── ends ─╳
//	 │                                    │ what is left may go by itself: 50 ms,
//	 │                                    │ 500 ms while it holds the output
//	 │                                    │ TERM to it, 500 ms, KILL, until wait4
//	 │                                    │ knows no child
//	 │◄───────────────────────── Report ──╳
//	 │
//	 │ AskStop ──────────────────────────►│ TERM to all, 500 ms, KILL
//	 ╳ control closes ───────────────────►│ KILL to all
//
// What holds them together depends on the mode. In a namespace the helper is
// process 1, and when it dies the kernel kills all others; it dies with Pawl. A
// subreaper is given the command's orphans, so all that there is descends from it;
// it outlives Pawl until it has ended them. A group is what it is, and the mark in
// the environment finds who left it, where there is a /proc to look at.
//
// The command is started by the main thread, after what is to hold for the command
// alone was done to this thread (call.start): the rights that it loses, Landlock and
// the filter. The order matters. The loopback and mounts need rights that the next step
// takes away, and Landlock lets nobody below it mount or unmount. Whatever of a Confinement cannot be done
// keeps the command from starting: what the kernel can is Pawl's to know beforehand.
package launch
