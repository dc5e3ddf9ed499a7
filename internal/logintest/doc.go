// Package logintest is a login for tests: an authorization server on loopback, the MCP server that
// it lets people in to, and the person with a browser.
//
//	the program ── /mcp: 401 ──► facts, /register ──► /authorize ──► Person ──► the program's own address
//	            ◄── tokens ──── /token (PKCE, rotation: a refresh token works once)
//
// A refresh token that comes twice ends the login, as good servers do: that is how a test learns
// that two processes have asked at once.
package logintest
