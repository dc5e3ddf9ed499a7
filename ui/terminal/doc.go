// Package terminal is what the screen knows of the terminal and tells it past the
// picture: what its variables say, the pace of frames, the clock, the keyboard, its
// clipboard and its notifications, and who has it next.
package terminal
