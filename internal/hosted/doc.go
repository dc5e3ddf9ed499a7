// Package hosted reaches sessions that other processes drive, their hosts, over their sockets.
//
//	a name, or none ─► Find: the socket that it means, or the database says why there is none ─► Session
//	  ─► Session.Ask: one order ─► its reply
//	  ─► Session.Status: how it stands
//	  ─► Session.Watch: its stream, until it is left
//	  ─► Session.Prompt, Session.Wait: until it is settled ─► what pawl -p prints, and its exit code
package hosted
