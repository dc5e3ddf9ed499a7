package settings

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// Folders are the folders where Pawl keeps its files.
type Folders struct {
	Config string // config.toml, agent types
	Data   string // the database, its locks, outputs too long for a model, what changed files held, exports
	State  string // the log, the prompt history
}

// FindFolders follows the XDG rules; PAWL_HOME puts all folders in one place.
func FindFolders() Folders {
	if home := os.Getenv("PAWL_HOME"); home != "" {
		home = fullPath(home)
		return Folders{filepath.Join(home, "config"), filepath.Join(home, "data"), filepath.Join(home, "state")}
	}
	return Folders{filepath.Join(xdg.ConfigHome, "pawl"), filepath.Join(xdg.DataHome, "pawl"), filepath.Join(xdg.StateHome, "pawl")}
}

// CheckHome refuses a relative PAWL_HOME: Pawl would have separate sessions in each folder
// that it is started in.
func CheckHome() error {
	home := os.Getenv("PAWL_HOME")
	if home == "" || filepath.IsAbs(home) {
		return nil
	}
	return &Error{environment, fmt.Sprintf("PAWL_HOME=%s is not a full path: write PAWL_HOME=%s", home, fullPath(home))}
}

// fullPath is the path that was meant; a quoted ~ is not expanded by a shell.
func fullPath(path string) string {
	absolute, err := filepath.Abs(fromHome(path))
	if err != nil { // the current folder is gone
		return path
	}
	return absolute
}

// Database is the file with all sessions.
func (f Folders) Database() string { return filepath.Join(f.Data, "pawl.db") }

// Outputs holds a folder of long outputs for each session.
func (f Folders) Outputs() string { return filepath.Join(f.Data, "outputs") }

// Files holds a folder for each session whose files were changed: what they held before and after.
func (f Folders) Files() string { return filepath.Join(f.Data, "files") }

// Exports is where the export key writes sessions.
func (f Folders) Exports() string { return filepath.Join(f.Data, "exports") }

// Worktrees holds a folder for each session whose subagents have worked in git worktrees.
func (f Folders) Worktrees() string { return filepath.Join(f.Data, "worktrees") }

// Remote holds what this machine needs for runs of others, if it is a worker: their repositories and
// checkouts.
func (f Folders) Remote() string { return filepath.Join(f.Data, "remote") }

// Logins holds a file for each login to an MCP server, without its tokens.
func (f Folders) Logins() string { return filepath.Join(f.Data, "logins") }

// Server is the folder of pawl-server: what its queues and stores hold, its certificate and the key to it.
func (f Folders) Server() string { return filepath.Join(f.Data, "server") }

// RemoteCreds is where the credentials for the server of other machines are looked for, unless the
// settings name another file.
func (f Folders) RemoteCreds() string { return filepath.Join(f.Config, "remote.creds") }

// ConfigFile is the user's settings file.
func (f Folders) ConfigFile() string { return filepath.Join(f.Config, "config.toml") }

// CrashFile is where the stack trace of a crash is written.
func (f Folders) CrashFile() string { return filepath.Join(f.State, "crash.log") }

// LogFile is Pawl's own log.
func (f Folders) LogFile() string { return filepath.Join(f.State, "pawl.log") }
