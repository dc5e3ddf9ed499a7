// Package replay plays back the records of a session, in the time that they took or faster or
// slower. It does not know the screen.
//
//	Options.Records ──► pages ──► Player.Run ──► Frame: the records that are due, and State
//	                                 ▲   ▲
//	          Player.Do(order) ──────┘   └── tape: when is the next one due?
//
// The tape is arithmetic on recorded time and the passing time, which it is given. A silence
// that would last longer than Silence is played evenly in that time, so that clocks run through
// it and nobody waits. A leap goes through the log without waiting: to the next record, the next
// end of a run, or the end. Going back restarts at the beginning, because State is a fold of all
// records before it.
package replay
