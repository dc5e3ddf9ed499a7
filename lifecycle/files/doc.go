// Package files folds the log of a session into what was changed in files, and answers from
// it what a person may ask: what changed between two records and by whom, and what putting it
// back would take. It reads no file: a state names what a file holds by its hash, and the file
// store of the session keeps the bytes.
//
//	FilesChanged, Landed, Rewound ──► Log.Apply ──► Change, in the order of the log
//	                                     ├─► Net ─────── a path, before the first and after the last
//	                                     └─► TakeBack ── what a rewind would put back, and what it leaves
//	prompts, Landed, Rewound ─────────► Point ── where one can rewind to
package files
