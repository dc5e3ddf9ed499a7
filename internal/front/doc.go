// Package front is the process at a terminal: small, and of no session. It lends the terminal to a
// host, which draws on it, and puts the terminal right whatever ends the host or itself.
//
//	pawl ─► Main: a screen is wanted, and here is a terminal
//	  ├─ attach, and a host drives the session ──► its socket
//	  └─ else: a guard in a session of its own ──► a host with the same command line
//	  then, until the host says end:
//	    the terminal's size, signals, its return from suspend ──► host
//	    suspend, the user's editor ◄── host
//	    go ◄── host: the same again, with another session
//
// How it gives back control: the terminal's settings as they were, its modes too if the host did
// not say end, one line, and the host's exit code.
package front
