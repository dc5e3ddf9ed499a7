// Package keys is pawl login and pawl logout: it asks for the key of a provider, tries it at the
// server, keeps it and forgets it, and lists where each provider has its key.
//
//	a terminal, without an echo, or one line of a pipe ─► tried at the server ─► internal/keys
package keys
