// Package changes tells what a session changed in files: by prompt, by run and by file, with the
// differences, in plain text, as a patch and as JSON.
//
//	Book ──► Open ──► Report: prompts with what each run, landing and rewind did, and each file's net
//	                     │
//	                     ├── Text, Patch, JSON ── "pawl changes", and the export as a patch
//	                     └── Net, Prompts ── export/markdown and export/html draw them
//
// What files held is read from the file store alone, by the hashes in the records: the same
// record number gives the same text, whatever is in the folder now. One file is held at a time.
package changes
