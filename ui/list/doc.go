// Package list is what one chooses from: candidates ranked by how well they match the typed
// text, lists of rows with search and preview, and dialogs. A choice is a function on the
// screen's model M, of which this package knows nothing.
package list
