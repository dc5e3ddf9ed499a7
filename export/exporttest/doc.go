// Package exporttest has sessions written by hand, for the tests of everything that writes
// a session down, reads it back or verifies it.
//
// Plot is one in which every event happens once, Everything one in which all happens that
// can and each promise is kept, Hostile one whose texts try to leave their place, Long one
// whose records are made when they are asked for.
package exporttest
