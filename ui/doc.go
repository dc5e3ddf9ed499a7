// Package ui is the screen: one Bubble Tea model over one root session. It knows
// nothing but its Options: a route to the sessions, functions and values.
//
//	Route.Watch ──► pump ──► lifecycle.Updates (a tea.Msg, at most 60 a second)
//	                             │
//	                           Update ──► roster.fold   runs, queues, progress
//	                             │   └──► conversation.fold   blocks, one list a session
//	keys ──► table (keys.go) ────┤
//	                             └──► tea.Cmd ──► Route.Do ──► a message with the reply
//	clock ─(only while something moves)──► Update
//
//	View ◄── the last picture, or a new one: conversation over cards over composer
//	  └─► the terminal, when pace says so: after messages only, sixty a second at most
//
//	Options.Open ──► Opened ──► reopen: an old session whole, its end was there before
//
// Rules of this room. The model is the only tea.Model; its parts are plain
// structs that draw themselves for a width. Update touches no file and no
// network; commands change no state. What is shown is a fold of records, and of
// the newest progress on top. Text of others is drawn only as a sanitize.Text,
// and what is drawn is a styled: neither comes from a string by accident.
package ui
