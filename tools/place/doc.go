// Package place opens the folder of a file that is to be put in place, part by part, so that no
// link that somebody put into its path leads elsewhere.
package place
