// Package protection says by which means nothing outlives Pawl and no command does harm:
// which is in force, why not a stronger one, and what it does not cover. The screen and
// doctor say it.
package protection
