// Package settings reads what the user has chosen, and where Pawl keeps things.
//
//	built in ◄── config.toml in the user's config folder ◄── PAWL_… variables ◄── flags
//
// Later ones win. What is unknown or does not fit is an error that names the
// key, where it stands and the nearest valid one: never a default in silence.
package settings
