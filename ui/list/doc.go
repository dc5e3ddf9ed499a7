// Package list is what one chooses from: candidates in the order in which they fit what was
// typed, lists of rows with a search and a preview, and dialogs. A choice is a function on
// the model M of the screen, of which this package knows nothing.
package list
