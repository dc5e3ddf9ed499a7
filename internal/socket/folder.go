package socket

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pawl/internal/words"
)

// ErrNoHost says that no process listens for a session.
var ErrNoHost = errors.New("no running Pawl has this session open")

const (
	suffix   = ".sock"
	lockName = "lock"
	newName  = ".new" + suffix // a socket that nobody listens at yet
)

// Folder is where the sockets of one user's sessions lie. It is made when somebody first
// listens. A folder in which somebody else could have put a socket is refused, by every method,
// in one line.
type Folder struct{ path string }

// In returns the folder of sockets below Pawl's folder for state.
func In(state string) Folder { return Folder{filepath.Join(state, "run")} }

// Path is the folder's own path.
func (f Folder) Path() string { return f.path }

// Socket is the path of a session's socket, whether or not there is one.
func (f Folder) Socket(session string) string { return filepath.Join(f.path, session+suffix) }

// prepare makes the folder if it is missing, closes it to other users, and checks it.
func (f Folder) prepare() error {
	err := os.MkdirAll(filepath.Dir(f.path), 0o700)
	if err == nil {
		err = os.Mkdir(f.path, 0o700)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the folder for sockets: %w", err)
	}
	if err := f.check(); err != nil {
		return err
	}
	if err := os.Chmod(f.path, 0o700); err != nil { //nolint:gosec // a folder
		return fmt.Errorf("close the folder for sockets to other users: %w", err)
	}
	return nil
}

// check refuses a folder that somebody else could have put a socket in; the error of one that is
// missing is fs.ErrNotExist.
func (f Folder) check() error {
	info, err := os.Lstat(f.path)
	const writableByOthers = 0o022
	switch {
	case err != nil:
		return fmt.Errorf("look at the folder for sockets: %w", err)
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("the folder for sockets %s is a link: remove it, and Pawl makes a folder there", f.path)
	case !info.IsDir():
		return fmt.Errorf("the folder for sockets %s is no folder: remove it, and Pawl makes one there", f.path)
	case !ours(info):
		return fmt.Errorf("the folder for sockets %s belongs to another user: remove it, and Pawl makes one of yours", f.path)
	case info.Mode().Perm()&writableByOthers != 0:
		return fmt.Errorf("other users may write to the folder for sockets %s: chmod 700 it if all in it is yours", f.path)
	}
	return nil
}

// checkName refuses a session's name that would be another file's.
func checkName(session string) error {
	if session == "" || strings.HasPrefix(session, ".") || strings.ContainsAny(session, "/\\\x00") {
		return fmt.Errorf("%q is no session", session)
	}
	return nil
}

// Sessions returns the ids that have a socket, sorted; whether somebody listens there only Dial
// can tell.
func (f Folder) Sessions() ([]string, error) {
	err := f.check()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(f.path)
	if err != nil {
		return nil, fmt.Errorf("list the folder for sockets: %w", err)
	}
	var ids []string
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), suffix)
		if ok && entry.Type()&fs.ModeSocket != 0 && checkName(id) == nil {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// Find returns those of Sessions that begin or end with part, in upper or lower case and with or
// without dashes, and with an ellipsis before an end; one that is exactly part is the only one.
func (f Folder) Find(part string) ([]string, error) {
	part = plain(part)
	if part == "" {
		return nil, errors.New("which session? write its id, or the beginning or end of it")
	}
	ids, err := f.Sessions()
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool {
		return !strings.HasPrefix(plain(id), part) && !strings.HasSuffix(plain(id), part)
	})
	if exact := slices.IndexFunc(ids, func(id string) bool { return plain(id) == part }); exact >= 0 {
		ids = ids[exact : exact+1]
	}
	return ids, nil
}

func plain(id string) string {
	return strings.ReplaceAll(words.WithoutEllipsis(strings.ToLower(strings.TrimSpace(id))), "-", "")
}
