// Package oauth logs in to MCP servers at an address and keeps what comes of it: the tokens in the
// user's key store, and in a file beside the database what is not secret (where tokens come from).
// The official SDK implements discovery, registration and the exchange; this package decides where
// a login may go, what of its answer is believed, and which process asks for a new token.
//
//	pawl mcp login NAME                                       a session of Pawl
//	  │ Logins.Login                                            │ Logins.For(NAME, address) ─► Bearer
//	  │ asks the server: 401, and who lets people in            │ each request: the token, and a new one
//	  │ registers Pawl, opens the browser ──► the person        │   shortly before it ends
//	  │ 127.0.0.1 or a pasted address ◄────── the answer        │ 401: a new one, once
//	  └ state, issuer, PKCE ─► tokens ─► keys.Store ◄───────────┘ one process at a time: a file lock
//
// A login belongs to a server's name and its address together: an address that was changed is
// another server and gets nothing.
package oauth
