// Package release is pawl version and pawl update: which build this is, and a newer one in its place.
//
//	the build's key, version and address, [update] ─► internal/update ─► what has happened, in a line
//
// Nothing here runs unless a person asks for it.
package release
