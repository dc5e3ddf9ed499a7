// Package composer is the editor of the text that is being typed: its cursor, its rows on
// the screen, undo, the kill ring, the history of prompts, and long pastes folded to one
// character.
//
// The text is always the whole one, as it was typed or pasted, and every change of it goes
// through Splice. It is cleaned where it is drawn.
package composer
