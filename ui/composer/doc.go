// Package composer edits the text that is being typed: its cursor, its rows on the screen, undo,
// the kill ring, the history of prompts, and long pastes folded to one character.
//
// It always holds the whole text as it was typed or pasted, and every change goes through
// Splice. The text is cleaned where it is drawn.
package composer
