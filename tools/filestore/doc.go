// Package filestore keeps what files held before and after each change: every content once, in one
// file for a session.
//
//	Keep(after, like: before) ─► what differs from before ─► one record ─► the end of the pack
//	Read(hash) ─► the record, and those that it is like ─► the content, its hash verified
//	Sync ─► what was kept would survive a power cut
//
// The pack is only ever appended to, one process at a time, under a lock that the kernel releases
// with its holder. Who reads needs no lock: what is there stays as it is. A record that was not
// written to its end is the last one, is no record, and is overwritten by the next.
package filestore
