// Package content detects what kind of content a file has, and reads text line by line in
// bounded memory. It opens no file.
package content
