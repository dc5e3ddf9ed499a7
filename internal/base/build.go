package base

import (
	"runtime"
	"runtime/debug"

	"pawl/store"
)

// version is set when a release is built.
var version = ""

// buildInfo describes this program, as pawl version --json prints it.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Changed  bool   `json:"changed"`        // there were uncommitted changes
	Time     string `json:"time,omitempty"` // time of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Database int    `json:"database"` // the version of the schema
}

// ThisBuild describes the running program.
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

// VersionText is the version and the commit that it was built from.
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

// Release is the version of a release, or "dev".
func Release() string {
	if version == "" {
		return "dev"
	}
	return version
}
