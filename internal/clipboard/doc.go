// Package clipboard reads what a person has copied, by the programs that a system has for that.
//
//	Read ─► the first of wl-paste, xclip, pngpaste, osascript that is there and fits the terminal's
//	        variables ─► which forms does it offer? ─► a picture, else text
//
// The programs run with the variables of the terminal at which the person sits, which may be another
// one than that of this process, and are bounded in time and in size. A terminal's own ways (OSC 52,
// OSC 5522) are not used: few terminals give an answer, and most ask first.
package clipboard
