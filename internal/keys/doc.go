// Package keys keeps what a user has given Pawl for good: keys of providers, tokens of MCP
// servers. They are in the system's key ring, or, where there is none, in a file that only the
// user can read.
//
//	Set ─► the key ring ──(none, it fails, it does not answer in time)──► the file
//	Get ─► the file, which is newer where it has the key ─► the key ring, if the file says so
//
// So a key ring is asked for nothing but what Pawl has put there: it may want a password, or
// never answer. Names say whose a key is: ForProvider and ForServer.
package keys
