// Package protection reports by which means nothing outlives Pawl and commands do no harm: which
// are in force, why no stronger ones, and what they do not cover. The screen and doctor show it.
package protection
