package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
)

// Folders is where Pawl keeps its files.
type Folders struct {
	Config string // config.toml, agent types
	Data   string // the database, its locks, outputs too long for a model, exports
	State  string // the log, the prompt history
}

// FindFolders follows the XDG rules; PAWL_HOME puts all folders in one place.
func FindFolders() Folders {
	if home := os.Getenv("PAWL_HOME"); home != "" {
		home = fullPath(home)
		return Folders{
			Config: filepath.Join(home, "config"),
			Data:   filepath.Join(home, "data"),
			State:  filepath.Join(home, "state"),
		}
	}
	return Folders{
		Config: filepath.Join(xdg.ConfigHome, "pawl"),
		Data:   filepath.Join(xdg.DataHome, "pawl"),
		State:  filepath.Join(xdg.StateHome, "pawl"),
	}
}

// CheckHome refuses a PAWL_HOME that is no whole path: each folder that Pawl is
// started in would have sessions of its own, unseen by the others.
func CheckHome() error {
	home := os.Getenv("PAWL_HOME")
	if home == "" || filepath.IsAbs(home) {
		return nil
	}
	return &Error{environment, fmt.Sprintf("PAWL_HOME=%s is not a full path: write PAWL_HOME=%s", home, fullPath(home))}
}

// fullPath is the path that somebody meant: a quoted ~ is one that no shell has read.
func fullPath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		return filepath.Join(xdg.Home, rest)
	}
	absolute, err := filepath.Abs(path)
	if err != nil { // the folder one stands in is gone
		return path
	}
	return absolute
}

// Database is the file of all sessions.
func (f Folders) Database() string { return filepath.Join(f.Data, "pawl.db") }

// Outputs is the folder with a folder for each session that keeps long outputs.
func (f Folders) Outputs() string { return filepath.Join(f.Data, "outputs") }

// Exports is the folder of the sessions that a key has exported.
func (f Folders) Exports() string { return filepath.Join(f.Data, "exports") }

// Worktrees is the folder with a folder for each session whose subagents have worked in
// git worktrees of their own.
func (f Folders) Worktrees() string { return filepath.Join(f.Data, "worktrees") }

// ConfigFile is the user's settings.
func (f Folders) ConfigFile() string { return filepath.Join(f.Config, "config.toml") }

// CrashFile is where a stack trace goes, if there is ever one.
func (f Folders) CrashFile() string { return filepath.Join(f.State, "crash.log") }

// LogFile is where Pawl writes what is no user's business.
func (f Folders) LogFile() string { return filepath.Join(f.State, "pawl.log") }
