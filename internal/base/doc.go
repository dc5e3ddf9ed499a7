// Package base is what every command starts from: where it reads and writes, the user's
// settings, the models, the database and the log.
//
//	the process ─► World: streams, environment, folder, the guard
//	  ─► New: the settings, each checked by the package that uses it; the secrets of the environment
//	  ─► Open: the database too
package base
