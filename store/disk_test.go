package store

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/driver" // the driver named "sqlite3"
	_ "github.com/ncruces/go-sqlite3/embed"
	"github.com/ncruces/go-sqlite3/vfs"
	"github.com/stretchr/testify/require"
)

// operation is a kind of what SQLite asks of a disk.
type operation string

const (
	opOpen     operation = "open"
	opWrite    operation = "write"
	opGrow     operation = "grow"
	opTruncate operation = "truncate"
	opSync     operation = "sync"
	opDelete   operation = "delete"
	opShare    operation = "share" // make the shared memory beside the database
)

// mode is a way to fail: what each operation gets, and whether only once. What
// it does not name goes through, and is not counted.
type mode struct {
	name    string
	forever bool
	errors  map[operation]error
}

var (
	ioErrors = map[operation]error{
		opOpen: sqlite3.CANTOPEN, opWrite: sqlite3.IOERR_WRITE, opGrow: sqlite3.IOERR_TRUNCATE, opTruncate: sqlite3.IOERR_TRUNCATE,
		opSync: sqlite3.IOERR_FSYNC, opDelete: sqlite3.IOERR_DELETE, opShare: sqlite3.CANTOPEN,
	}
	fullErrors     = map[operation]error{opOpen: sqlite3.CANTOPEN, opWrite: sqlite3.FULL, opGrow: sqlite3.FULL, opShare: sqlite3.CANTOPEN}
	readOnlyErrors = map[operation]error{
		opOpen: sqlite3.CANTOPEN, opWrite: sqlite3.READONLY, opGrow: sqlite3.READONLY, opTruncate: sqlite3.READONLY,
		opDelete: sqlite3.IOERR_DELETE, opShare: sqlite3.CANTOPEN,
	}
	failures = []mode{
		{"EIO once", false, ioErrors},
		{"EIO for ever", true, ioErrors},
		{"full once", false, fullErrors},
		{"full for ever", true, fullErrors},
		{"read-only for ever", true, readOnlyErrors},
	}
)

// disk is real files under SQLite that fail where a test wants it: at operation
// number at, in its mode. It can keep a tape of all that was done.
type disk struct {
	vfs.VFSFilename
	name string
	mode mode
	tape *tape

	mu     sync.Mutex
	at     int // 0: never
	count  int
	failed []operation
}

var disks atomic.Int64

func newDisk(t testing.TB, mode mode, at int) *disk {
	d := &disk{VFSFilename: vfs.Find("").(vfs.VFSFilename), name: fmt.Sprintf("disk-%d", disks.Add(1)), mode: mode, at: at}
	vfs.Register(d.name, d)
	t.Cleanup(func() { vfs.Unregister(d.name) })
	return d
}

// engine is a SQLite on this disk.
func (d *disk) engine() engine {
	return engine{
		open: func(source string) (*sql.DB, error) { return sql.Open("sqlite3", d.source(source)) },
		code: func(err error) int {
			var code sqlite3.ExtendedErrorCode
			errors.As(err, &code)
			return int(code)
		},
	}
}

// source says to this driver what the product's source says to its own.
func (d *disk) source(source string) string {
	u, err := url.Parse(source)
	if err != nil {
		panic(err)
	}
	values := u.Query()
	var first []string
	for _, name := range []string{"busy_timeout", "auto_vacuum", "query_only"} {
		if value := values.Get("_" + name); value != "" {
			first = append(first, name+"("+value+")")
		}
	}
	values["_pragma"] = slices.Concat(first, values["_pragma"])
	values.Set("vfs", d.name)
	u.RawQuery = values.Encode()
	return u.String()
}

// do counts an operation, and refuses it where it is to fail.
func (d *disk) do(op operation) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	err, counts := d.mode.errors[op]
	if !counts {
		return nil
	}
	d.count++
	if d.at == 0 || d.count < d.at || d.count > d.at && !d.mode.forever {
		return nil
	}
	d.failed = append(d.failed, op)
	return err
}

// hit says whether something has failed.
func (d *disk) hit() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.failed) > 0
}

func (d *disk) heal() { d.arm(0) }

// arm makes operation number at from here on fail.
func (d *disk) arm(at int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.at, d.count = at, 0
}

func (d *disk) OpenFilename(name *vfs.Filename, flags vfs.OpenFlag) (vfs.File, vfs.OpenFlag, error) {
	if flags&vfs.OPEN_CREATE != 0 || flags&vfs.OPEN_READWRITE != 0 && d.mode.errors[opSync] != nil {
		if err := d.do(opOpen); err != nil {
			return nil, flags, err
		}
	}
	file, flags, err := d.VFSFilename.OpenFilename(name, flags)
	if err != nil {
		return nil, flags, err
	}
	opened := &diskFile{vfsFile: file.(vfsFile), disk: d}
	if name != nil {
		opened.inode = d.tape.opened(name.String())
	}
	return opened, flags, nil
}

func (d *disk) Delete(name string, syncDir bool) error {
	if err := d.do(opDelete); err != nil {
		return err
	}
	d.tape.add(act{op: opDelete, path: name})
	return d.VFSFilename.Delete(name, syncDir)
}

// vfsFile is what a real file of the driver's can do.
type vfsFile interface {
	vfs.FileLockState
	vfs.FileHasMoved
	vfs.FileSizeHint
	vfs.FilePersistWAL
	vfs.FilePowersafeOverwrite
	vfs.FileSharedMemory
}

type diskFile struct {
	vfsFile
	disk  *disk
	inode uint64
	known bool // the driver has asked whether there is shared memory
	made  bool // there is
}

func (f *diskFile) WriteAt(p []byte, off int64) (int, error) {
	if err := f.disk.do(opWrite); err != nil {
		return 0, err
	}
	f.disk.tape.add(act{op: opWrite, inode: f.inode, at: off, data: slices.Clone(p)})
	return f.vfsFile.WriteAt(p, off)
}

func (f *diskFile) SizeHint(size int64) error {
	if err := f.disk.do(opGrow); err != nil {
		return err
	}
	return f.vfsFile.SizeHint(size)
}

func (f *diskFile) Truncate(size int64) error {
	if err := f.disk.do(opTruncate); err != nil {
		return err
	}
	f.disk.tape.add(act{op: opTruncate, inode: f.inode, at: size})
	return f.vfsFile.Truncate(size)
}

func (f *diskFile) Sync(vfs.SyncFlag) error {
	if err := f.disk.do(opSync); err != nil {
		return err
	}
	f.disk.tape.add(act{op: opSync, inode: f.inode})
	return nil // the tape's word counts; a real flush takes time and shows nothing
}

// SharedMemory is asked for once to see whether there is any, then by each use of
// it. Where it cannot be made, the use gets one of a folder that is not there.
func (f *diskFile) SharedMemory() vfs.SharedMemory {
	real := f.vfsFile.SharedMemory()
	if real == nil || f.made || !f.known {
		f.known = true
		return real
	}
	if f.disk.do(opShare) != nil {
		return vfs.NewSharedMemory("/nowhere/at/all", vfs.OPEN_MAIN_DB)
	}
	f.made = true
	return real
}

func inode(path string) uint64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Sys().(*syscall.Stat_t).Ino
}

// onDisk are the options of a store on that disk.
func onDisk(d *disk) Options {
	return Options{engine: d.engine(), fileSystem: func(string) (string, error) { return "", nil }}
}

func TestTheOtherEngineKeepsTheSameStory(t *testing.T) {
	path := file(t)
	s := open(t, path, onDisk(newDisk(t, failures[0], 0)))
	j := story(t, s)
	require.NoError(t, s.Close())
	s = open(t, path)
	records, err := s.Records(t.Context(), j.root, 0, 0)
	require.NoError(t, err)
	require.Equal(t, j.records, records)
	require.NoError(t, s.Check(t.Context()))
}
