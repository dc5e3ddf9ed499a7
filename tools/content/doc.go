// Package content tells what the bytes of a file are, and reads texts line by line in bounded
// memory. It opens no file.
package content
