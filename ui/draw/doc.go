// Package draw turns clean text into styled lines for a terminal: the canvas with its
// width, theme and glyphs, and what every part of the screen draws with it, from wrapped
// text and Markdown to diffs and hyperlinks.
//
// What others wrote comes in as a sanitize.Text only, and what goes to the terminal is a
// Styled: neither is made of a string by accident, and a test counts the places that
// convert one.
package draw
