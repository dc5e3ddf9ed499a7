// Package served keeps the sessions that another tool has started over MCP (pawl mcp serve). Each is a
// session like any other, in a host of its own: pawl ps lists it, pawl attach shows it, and it goes on
// when this process is gone.
//
//	start ─► front.Start: pawl -p --detach in its folder, the prompt on standard input ─► its id
//	output ─► its host's status, until it is settled or needs a person ─► what the database has of it
//	send ─► its host, else a new one that goes on with it
//	stop ─► its host
package served
