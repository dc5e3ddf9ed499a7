// Package base is what every command begins with: where it reads and writes, the user's
// settings, the models, the database and the log.
//
//	the process ─► World: streams, environment, folder, the guard
//	  ─► New: the settings, each checked by whoever uses it; the secrets of the environment
//	  ─► Open: the database too
package base
