package main

import "runtime/debug"

// version is set by the build of a release.
var version = ""

// versionText is the version with the commit that it was built from.
func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return orUnknown(version)
	}
	commit, dirty := "", ""
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			commit = setting.Value[:min(12, len(setting.Value))]
		case "vcs.modified":
			if setting.Value == "true" {
				dirty = "+changes"
			}
		}
	}
	text := orUnknown(version)
	if commit != "" {
		text += " (" + commit + dirty + ")"
	}
	return text + " " + info.GoVersion
}

func orUnknown(v string) string {
	if v == "" {
		return "dev"
	}
	return v
}
