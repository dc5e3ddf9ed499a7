// Package draw turns clean text into styled lines for a terminal: the canvas with its width,
// theme and glyphs, and what all parts of the screen draw with it, from wrapped text and
// Markdown to diffs and hyperlinks.
//
// Foreign text comes in only as a sanitize.Text, and what goes to the terminal is a Styled:
// neither is made from a string by accident, and a test counts the places that convert one.
package draw
