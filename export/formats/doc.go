// Package formats names the formats and options of an export, shared by flags, typed commands
// and writers. It imports no other package of Pawl, so that the screen may import it.
package formats
