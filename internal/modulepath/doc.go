// Command modulepath gives this module another path, everywhere in one step: `make module PATH=…`.
//
//	go.mod's path ─► each file that git has: where the path stands before a folder of Go code ─► the new one
//
// In front of anything else the word "pawl" is the program's name (branches, headers, folders), and
// stays.
package main
