package socket

import (
	"net"
	"unsafe"

	"golang.org/x/sys/unix"
)

// peer is the process that has connected, or that listens.
type peer struct{ uid, pid int }

func peerOf(conn *net.UnixConn) (p peer, err error) {
	err = withFD(conn, func(fd int) error {
		who, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		if err != nil {
			return err
		}
		// Since FreeBSD 13 the process is where the last word, a pointer, was; before it is zero.
		last := unsafe.Add(unsafe.Pointer(who), unsafe.Sizeof(*who)-unsafe.Sizeof(uintptr(0))) //nolint:gosec // as sys/ucred.h has it
		p.uid, p.pid = int(who.Uid), int(*(*int32)(last))
		return nil
	})
	return p, err
}

// ended reports whether the process has ended.
func (p peer) ended() bool {
	now, err := readProcess(p.pid)
	return err != nil || now.ended
}

func (peer) close() {}

// kinfoProc is the beginning of struct kinfo_proc in sys/user.h on systems of 64 bits; on others
// the part up to parent.
type kinfoProc struct {
	size, layout                     int32
	pointers                         [8]uintptr
	pid, parent, pgid, tpgid, s, ts  int32
	jobc, spare                      int16
	tdev                             uint32
	signals                          [4][4]uint32
	uid, ruid, svuid, rgid, svgid    uint32
	ngroups, spare2                  int16
	groups                           [16]uint32
	vm, rss, swrss, text, data, stak int
	xstat, acflag                    uint16
	pctcpu, estcpu, slept, swt, cow  uint32
	runtime                          uint64
	start, childtime                 [2]int
	flag, kiflag                     int
	traced                           int32
	stat                             int8
}

func readProcess(pid int) (process, error) {
	raw, err := unix.SysctlRaw("kern.proc.pid", pid)
	if err != nil {
		return process{}, err
	}
	if len(raw) < int(unsafe.Sizeof(kinfoProc{})) {
		return process{}, unix.ESRCH
	}
	about := (*kinfoProc)(unsafe.Pointer(unsafe.SliceData(raw))) //nolint:gosec // long enough, as just checked
	p := process{pid: pid, parent: int(about.parent)}
	if int(about.pid) != pid {
		return process{}, unix.ESRCH
	}
	if unsafe.Sizeof(uintptr(0)) == 8 {
		const second, zombie = 1e6, 5 // SZOMB
		p.start, p.ended = int64(about.start[0])*second+int64(about.start[1]), about.stat == zombie
	}
	return p, nil
}
