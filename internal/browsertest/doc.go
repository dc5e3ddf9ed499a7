// Package browsertest is for tests of pages: a headless Chromium that says what a page does.
package browsertest
