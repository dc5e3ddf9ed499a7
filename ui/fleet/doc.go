// Package fleet is the screen over all sessions of a user, in all folders. It knows nothing of
// hosts, sockets or the database: it gets values and functions.
//
//	Options.Follow ──► mailbox: the newest picture ──► model.take ──► board: sections, order, filter
//	                   at most one a frame                              └──► View: only the rows in sight
//	the selected row ──► Options.Peek ──► look: its newest conversation, in the pane
//	keys ──► letter (letter.go) ──► the table (keys.go) ──► a function on the model
//	           └─► text: the line to the selected session (input.go), never an action
//	y n ──► the question that the last picture showed whole, once no key came for 2 s ──► Options.Answer
//	m ──► a line ──► Options.Send      x x ──► Options.Stop      n + ──► a folder ──► Ending.Begin
//
// At rest it takes no processor time: there is no clock but one timer, for the next moment at which
// something that is shown changes by itself (wake.go).
//
// The rules are those of package ui: one model, parts that draw themselves, no file and no network
// in Update, text of others only as a sanitize.Text, and what is drawn a draw.Styled.
package fleet
