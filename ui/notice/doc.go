// Package notice is the one line that answers the last key: words, where a file was written, or how
// much is done of what goes on.
//
//	a key, a command's reply ──► Notice ──► Render for a width ──► above the composer
package notice
