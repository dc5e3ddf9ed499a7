// Package settings reads what the user has chosen, and where Pawl keeps things.
//
//	built in ◄── config.toml in the user's config folder ◄── .pawl/config.toml of a
//	trusted folder: only stricter ◄── PAWL_… variables ◄── flags
//
// Later ones win. What a project may say is a narrow table (project.go); the rest of
// its file is named and not used. What is unknown or does not fit is an error that names the
// key, where it stands and the nearest valid one: never a default in silence.
package settings
