// Package servers is pawl mcp: it lists the MCP servers as they start, adds and removes them, and
// logs in to those at an address.
//
//	config.toml, .mcp.json ─► specs ─► list: each is started ─► a table or JSON
//	                                └► login, logout: tools/mcp/oauth ◄─► the browser, the key store
//	add, remove ─► the text of the file, changed in its place ─► read again as a check ─► the file
package servers
