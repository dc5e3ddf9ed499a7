// Package ui is the screen: one Bubble Tea model over one root session. It knows
// nothing but its Options: a route to the sessions, functions and values.
//
//	Route.Watch ──► terminal.Pump ──► lifecycle.Updates (a tea.Msg, at most 60 a second,
//	                            and 30 where there is nothing but progress)
//	                             │
//	                           Update ──► transcript.Runs   runs, queues, progress
//	                             │   └──► transcript.Conversation   blocks, one list a session
//	keys ──► letter.go ──► table ┤     a letter may have to wait: is it text?
//	                             └──► tea.Cmd ──► Route.Do ──► a message with the reply
//	a list (picker.go) ◄── loaded: what a command has read, and what to do with it
//	clock ─(only while something moves)──► Update
//
//	View ◄── the last picture, or a new one: conversation over cards over composer
//	     │   or, of a wide screen, two panes: conversation over composer, twice, over cards
//	     │   pane.Split ──► panes: the session of each ──► draw for its width ──► pane.Join
//	     ◄── notice.Notice: the answer to the last key, above the composer
//	     ◄── signals: the window's title, the terminal's progress bar, and notifications
//	     ◄── looks ──► draw.Theme: what the user wants, what the terminal has
//	     └─► the terminal, when terminal.Pace says so: after messages only, sixty a second at most
//
//	Options.Open ──► Opened ──► reopen: an old session whole, its end was there before
//
//	Options.Recorded: what is over. A table of keys that read (recordedkeys.go), and no
//	Route: whatever would act ends in onlyRead
//	replay.Player ──► Frame ──► rewind, where it begins again ──► the same folds
//	      ▲──── Do(order) ◄── keys; its time is the clock of the screen
//
// What stands in front is a value of a room of its own, which the model holds: it is handed
// what it shows, draws itself for a width, and says what was chosen. What that does is the
// model's.
//
//	a question ──► approval.Front ──► a letter, a digit, Enter on the mark (question.go): answered
//	             │ a s: at the second press │ p: its rule in full, then a second key │ r: a line for why not
//	             │ tab: the next that waits, unanswered
//	             └ until no key came for 2 s, and while there is text: to what it covers (focus.go)
//	what was denied ──► approval.Denied ──► space: chosen or not │ g g: Do(Grant) of what is chosen
//	Options.Grants ──► permissions.go: what is in force, on the status line and in /permissions
//	@ / ──► completion.List ──► what is taken, written into the line │ ctrl+r ──► completion.Prompts
//	cards (cards.go) ──► dock.Order ──► dock.Dock ──► the lines above the composer; their sums on its rule
//	a command ──► list.Picker, list.Dialog ──► a function on the model
//
// What is typed stands in a composer, one a session: its text is always the whole
// one, and every change of it goes through Splice.
//
//	keys, pastes ──► Splice ──► text, folds, past ──► rows ──► View
//	                               └──► draft, a moment later ──► Options.SaveDraft
//
// The dashboard has when each run was there from the runs, and what it did, planned and changed
// from its log: a fold of all records, with a bounded number of marks a session.
//
//	ctrl+t ──► Options.Records ──► pages ──► dashboard.Log ◄── Updates, the next in order
//	                                            └──► dashboard.Board ──► lanes, table, selected run
//	what waits for an answer stands in front where its row is selected (focus.go)
//
// Reading: the reader has the focus on one block, a search goes through the text of
// blocks and draws none that is not seen; both are marks on drawn lines (dressed),
// so nothing moves for them. A scroll.Position says where each conversation stands. Each
// picture keeps what stands on which row (hits), for the mouse.
//
// The model has one focus: open is the session that keys, typed text and searches are about.
// What is drawn takes a pane or its session, for another one may stand beside it.
//
// Rules of this room. The model is the only tea.Model; its parts are plain
// structs that draw themselves for a width. Update touches no file and no
// network; commands change no state. What is shown is a fold of records, and of
// the newest progress on top. Text of others is drawn only as a sanitize.Text,
// and what is drawn is a draw.Styled: neither comes from a string by accident.
package ui
