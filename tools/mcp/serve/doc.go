// Package serve is Pawl as an MCP server: another tool delegates work to it, over one pair of streams.
//
//	another tool ──► start ─► Sessions.Start   a session of its own, by its id
//	             ──► output ─► Sessions.Output  its state and what it answered; waits, with progress
//	             ──► list, send, stop ─► Sessions
//
// It knows the protocol and the arguments; what a session is it leaves to Sessions. There is no tool
// to answer a question: a program must not answer for a person.
package serve
