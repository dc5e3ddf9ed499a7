// Package rewind asks what of a session is taken back to before a point: the conversation, the files,
// or both, and which files.
//
//	Point ──► View: what is taken back, file by file, by whom it was changed ──► Choice
//	            ▲ Plan, found elsewhere
//
// It reads nothing and changes nothing; what its keys do to the session is the model's.
package rewind
