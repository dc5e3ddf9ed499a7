// Package replay plays the records of a session again, in the time that they took or
// in a part of it. It knows no screen.
//
//	Options.Records ──► pages ──► Player.Run ──► Frame: the records that are due, and State
//	                                 ▲   ▲
//	          Player.Do(order) ──────┘   └── tape: when is the next one due?
//
// The tape is arithmetic: recorded time against time that passes, handed in. A silence
// that would last longer than Silence is played in that time, evenly, so that clocks
// run through it and nobody waits. A leap goes through the log without time: a step,
// the next end, the end of all. The way back leads over the beginning: State is a fold
// of records, and only the first one has nothing before it.
package replay
