// Package worker is a machine that works at runs of others: it takes jobs from queues, asks their
// hosts whether it may have them, and joins a process's pipe with its host.
//
//	Queue.Next ─► signature ─► claim ─► its signature ─► Prepare ─► Workplace.Start ─► frames ─► Gone
//	                                                     └─► Finish ─► Result ─► Remove
//	every 2 s: beats, a request a host; jobs kept, a request a queue
//
// It decides nothing about a run: the host does. It knows nothing of git, models or rules.
package worker
