package socket

import (
	"net"

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
		p.uid = int(who.Uid)
		p.pid, err = unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
		return err
	})
	return p, err
}

// ended reports whether the process has ended.
func (p peer) ended() bool {
	now, err := readProcess(p.pid)
	return err != nil || now.ended
}

func (peer) close() {}

func readProcess(pid int) (process, error) {
	about, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, err
	}
	const zombie = 5 // SZOMB
	return process{
		pid: pid, parent: int(about.Eproc.Ppid), start: about.Proc.P_starttime.Nano(), ended: about.Proc.P_stat == zombie,
	}, nil
}
