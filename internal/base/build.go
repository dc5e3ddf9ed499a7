package base

import (
	"runtime"
	"runtime/debug"
	"strings"

	"pawl/store"
)

// These are set when a release is built (.goreleaser.yaml).
var (
	version        = "" // 1.2.3
	commit         = "" // its hash, with "+changes" if there were uncommitted ones
	committed      = "" // its time, as RFC 3339 has it
	releaseKey     = "" // minisign's public key, whose signature each release has
	releaseAddress = "" // the folder of a server with the newest release
)

// ReleaseKey is the public key whose releases pawl update takes; empty: none.
func ReleaseKey() string { return releaseKey }

// ReleaseAddress is where pawl update looks, unless the user has set another; empty: nowhere.
func ReleaseAddress() string { return releaseAddress }

// BuildInfo describes this program, as pawl version --json prints it.
type BuildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Changed  bool   `json:"changed"`        // there were uncommitted changes
	Time     string `json:"time,omitempty"` // time of the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
	Database int    `json:"database"` // the version of the schema
}

// ThisBuild describes the running program.
func ThisBuild() BuildInfo {
	b := BuildInfo{Version: Release(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Database: store.Schema()}
	if commit != "" {
		b.Commit, b.Changed = strings.CutSuffix(commit, "+changes")
		b.Time = committed
		return b
	}
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

// ShortVersion is the version and the commit alone, for lists.
func ShortVersion() string {
	text, _, _ := strings.Cut(VersionText(), " "+runtime.Version())
	return text
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

// Release is the version of a release, that of a module which "go install" has taken, or "dev".
func Release() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Sum != "" { // a checkout has no sum
		return strings.TrimPrefix(info.Main.Version, "v")
	}
	return "dev"
}
