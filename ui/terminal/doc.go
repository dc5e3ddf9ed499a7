// Package terminal is what the screen knows of the terminal and tells it beside the picture: its
// environment, the pace of frames, the clock, the keyboard, its clipboard and notifications, and
// its handover to the next screen.
package terminal
