// Package machines is pawl worker: this machine works at runs of others. With --serve it starts
// pawl-server beside itself and is that server's first worker.
//
//	flags, else [remote] ─► checked ─► pawl-server, if it is to be started ─► a link ─► worker.Serve
package machines
