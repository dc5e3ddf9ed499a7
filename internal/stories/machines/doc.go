// Package machines plays subagents that work on other machines, as a person meets them: a server, a
// worker or several, each a process with a home of its own, and the program at home. It has no
// source, only tests.
package machines
