// Package fleet is how the open sessions of a user stand: what each host says of its own, and who
// asks all of them.
//
//	host    ledger and facts ─► Of ─► Status, a line of the socket
//	client  folder of sockets ─► Hosts: dials all side by side ─► Status of each, Trouble of others
//	        connection ─► Ask: one order ─► its Reply
package fleet
