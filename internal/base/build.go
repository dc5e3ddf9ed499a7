package base

import (
	"runtime"
	"runtime/debug"

	"pawl/store"
)

// version is set by the build of a release.
var version = ""

// buildInfo is what this program is made of, as pawl version --json gives it.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Changed  bool   `json:"changed"`        // beyond that commit
	Time     string `json:"time,omitempty"` // of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Database int    `json:"database"` // the version of the schema
}

// ThisBuild is what the running program was built from.
func ThisBuild() buildInfo {
	b := buildInfo{Version: Release(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Database: store.Schema()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Time = setting.Value
		case "vcs.modified":
			b.Changed = setting.Value == "true"
		}
	}
	return b
}

// VersionText is the version with the commit that it was built from.
func VersionText() string {
	b := ThisBuild()
	text := b.Version
	if b.Commit != "" {
		changes := ""
		if b.Changed {
			changes = "+changes"
		}
		text += " (" + b.Commit[:min(12, len(b.Commit))] + changes + ")"
	}
	return text + " " + b.Go
}

// Release is the version of a release, or dev.
func Release() string {
	if version == "" {
		return "dev"
	}
	return version
}
