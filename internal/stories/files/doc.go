// Package files kills Pawls in the middle of landings, rewinds and writes, among the edits of a person:
// the folder is as before or as after, and nothing that a person wrote is lost. It has no source, only
// tests.
package files
