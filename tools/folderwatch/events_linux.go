package folderwatch

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// events are what the kernel tells of the folders of a table (inotify): in which of them something was
// changed since the last look. It queues that before the call of the system returns that has
// changed it, so nothing has to wait for it, and nobody has to read it before the next look.
//
// Of what is written through a map of memory it tells when that is undone, at the latest by the end
// of the process; of a file with several names, in the folder of the name that was used.
type events struct {
	fd     int
	device uint64 // that all folders are on
	bounds *budget
	most   int64 // folders of a session

	mu      sync.Mutex
	folders map[int32]*folder // by what the kernel calls them
	moved   []*folder         // perhaps no longer what that names
}

// toldOf are the events that change a folder or what is in it. A file that was open for writing is told
// of when it is closed, which a map of its memory keeps it from.
const toldOf = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_MODIFY | unix.IN_CLOSE_WRITE |
	unix.IN_ATTRIB | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR

// Of what the kernel has for each user, a session takes at most this part: editors want theirs.
const (
	partOfFolders = 4
	partOfQueues  = 8
)

// tellable are the file systems whose kernel sees all that is changed. One whose files another machine
// or another layer may change is not among them.
var tellable = []uint32{unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC, 0x2FC12FC1 /* ZFS */}

// isTold says that the kernel can tell what is changed in a folder.
func isTold(path string) bool {
	var stat unix.Statfs_t
	if err := unix.Statfs(path, &stat); err != nil {
		return false
	}
	return slices.Contains(tellable, uint32(stat.Type)) //nolint:gosec,nolintlint // the magic numbers have 32 bits
}

// newEvents is nil where the kernel tells nothing.
func newEvents(path string, bounds *budget) *events {
	var stat unix.Stat_t
	if err := unix.Stat(path, &stat); err != nil {
		return nil
	}
	if bounds.queues.Add(1) > allowed("max_user_instances")/partOfQueues {
		bounds.queues.Add(-1)
		return nil
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		bounds.queues.Add(-1)
		return nil
	}
	return &events{
		fd: fd, device: uint64(stat.Dev), bounds: bounds, most: allowed("max_user_watches") / partOfFolders, //nolint:unconvert,nolintlint // of another width on each system
		folders: map[int32]*folder{},
	}
}

// allowed is a bound that the kernel sets for all processes of a user; 0: it cannot be read.
func allowed(name string) int64 {
	text, _ := os.ReadFile(filepath.Join("/proc/sys/fs/inotify", name))
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n
}

// watch has the kernel tell of a folder from now on. It reports whether it has told of it all along.
func (e *events) watch(d *folder, at openDir) (allAlong bool) {
	if e == nil {
		return false
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	named, ok := e.name(d, at)
	if !ok {
		e.forget(d)
		return false
	}
	if named == d.told && e.folders[named] == d {
		return true
	}
	if before := e.folders[named]; before != nil { // it was moved, and has another place in the table now
		e.moved = append(e.moved, before)
	} else {
		e.bounds.told.Add(1)
	}
	e.forget(d)
	d.told, e.folders[named] = named, d
	return false
}

// name asks the kernel to tell of a folder, and gives what it calls it.
func (e *events) name(d *folder, at openDir) (named int32, ok bool) {
	var stat unix.Stat_t
	if err := unix.Fstat(at.fd, &stat); err != nil || uint64(stat.Dev) != e.device { //nolint:unconvert,nolintlint
		return 0, false
	}
	if d.told == 0 && e.bounds.told.Load() >= e.most {
		return 0, false
	}
	n, err := unix.InotifyAddWatch(e.fd, "/proc/self/fd/"+strconv.Itoa(at.fd), toldOf)
	return int32(n), err == nil //nolint:gosec // the kernel's own number
}

// drop ends that the kernel tells of a folder that goes out of the table, and of those below it.
func (e *events) drop(d *folder) {
	if e == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.dropAll(d)
}

func (e *events) dropAll(d *folder) {
	e.forget(d)
	for _, below := range d.folders {
		e.dropAll(below)
	}
}

// forget ends that the kernel tells of a folder, unless what it called that is another one by now.
func (e *events) forget(d *folder) {
	if d.told != 0 && e.folders[d.told] == d {
		delete(e.folders, d.told)
		e.bounds.told.Add(-1)
		_, _ = unix.InotifyRmWatch(e.fd, uint32(d.told)) // the kernel may have forgotten it before
	}
	d.told = 0
}

// Bounds of one take: with names of the usual length all that a queue holds of the usual size.
const (
	bytesRead = 64 << 10
	mostReads = 256
)

// take notes at the folders of the table what the kernel has told since the last time. It reports
// whether some of that may be missing. Nobody may look at folders meanwhile.
func (e *events) take() (missed bool) {
	for _, d := range e.moved {
		if e.folders[d.told] != d {
			d.told = 0
		}
	}
	e.moved = nil
	buffer := make([]byte, bytesRead)
	for range mostReads {
		n, err := unix.Read(e.fd, buffer)
		switch {
		case errors.Is(err, unix.EINTR):
		case errors.Is(err, unix.EAGAIN):
			return missed
		case err != nil || n <= 0:
			return true
		default:
			missed = e.note(buffer[:n]) || missed
		}
	}
	return true // it is told faster than it can be read
}

// note notes some events.
func (e *events) note(all []byte) (missed bool) {
	for len(all) >= unix.SizeofInotifyEvent {
		named, what := int32(binary.NativeEndian.Uint32(all)), binary.NativeEndian.Uint32(all[4:]) //nolint:gosec // the kernel's own number
		length := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(all[12:]))              // with the name in the folder
		all = all[min(length, len(all)):]
		missed = missed || what&unix.IN_Q_OVERFLOW != 0
		d := e.folders[named]
		if d == nil { // it was dropped meanwhile
			continue
		}
		d.due = max(d.due, dueItself)
		if what&(unix.IN_IGNORED|unix.IN_UNMOUNT|unix.IN_MOVE_SELF|unix.IN_DELETE_SELF) != 0 {
			e.forget(d)
		}
	}
	return missed
}

// close ends all. It may be nil.
func (e *events) close() {
	if e == nil {
		return
	}
	e.bounds.queues.Add(-1)
	e.bounds.told.Add(-int64(len(e.folders)))
	_ = unix.Close(e.fd) // it was only read
}
