// Package tty is the settings and modes of a terminal: what a screen changes, and how to put it
// right again whatever ended the screen.
//
//	Find ─► Terminals: which streams are terminals, and their settings from before the screen
//	  the screen is over ─► RestoreSettings, ResetModes
package tty
