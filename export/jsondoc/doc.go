// Package jsondoc writes a session as one JSON document, for programs, and its records as
// stream-json lines.
//
//	Write ──► facts, each session with its transcript, runs, records, totals: schema.json
//	Lines ──► the same records one by one, as they happen:                    stream.schema.json
//
// Every string is masked when it is written; a secret that begins in one record and ends in the
// next is masked in both. Writer also writes traces.
package jsondoc
