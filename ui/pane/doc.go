// Package pane says which sessions stand on the screen, and in which of its columns.
//
//	Split.Panes ──► one: it has the whole screen
//	           └──► two: the conversation, and a subagent's session beside it
//	                each is drawn for its own width ──► Join ──► the rows of both, a bar between
package pane
