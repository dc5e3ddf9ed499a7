// Package workspace is the only way to files: the tree below one folder, as a model may see and
// change it.
//
// One call that changes a file:
//
//	loop                 tool                    workspace
//	 │ Effect(call) ─────►│ Preview(call, plan) ──►│ Target: inside the folder, links followed,
//	 │                    │                        │ regular files only, size cap
//	 │                    │ plan ◄────────────────►│ CheckFresh: is it what the model has read?
//	 │◄─ Effect + diff ───│◄── Change{Old, Data} ──│ what the person is asked about is remembered
//	 │  (permission)      │                        │
//	 │ Run(call) ────────►│ Apply(call, plan) ────►│ plan again, must be what was shown
//	 │                    │                        │ save: temporary file, fsync, rename, fsync
//	 │◄─ Result + diff ───│◄── Change ─────────────│ the new content is known
//
// No path is trusted between two looks at it: what is opened is opened part by part, below an
// os.Root, and is compared with what was located.
package workspace
