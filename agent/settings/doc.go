// Package settings reads the user's settings and says where Pawl keeps its files.
//
//	built in ◄── config.toml in the user's config folder ◄── .pawl/config.toml of a
//	trusted folder: only stricter ◄── PAWL_… variables ◄── flags
//
// Later ones win. A project can set only what is listed in project.go; the rest of its
// file is reported and not used. An unknown key or an invalid value is an error that names
// it, its place and the nearest valid one. It is never silently replaced by a default.
package settings
