package process

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// roleSockets makes a test binary try all ways to others and say how each went: the
// JSON of an outer.
const roleSockets = "PAWL_TEST_SOCKETS"

// outer is what listens outside.
type outer struct{ TCP, UDP, Path, Abstract string }

// families are sockets that lead to others, or could.
var families = map[string][3]int{
	"TCP": {unix.AF_INET, unix.SOCK_STREAM, 0}, "TCP 6": {unix.AF_INET6, unix.SOCK_STREAM, 0},
	"MPTCP": {unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP}, "MPTCP 6": {unix.AF_INET6, unix.SOCK_STREAM, unix.IPPROTO_MPTCP},
	"UDP": {unix.AF_INET, unix.SOCK_DGRAM, 0}, "UDPLITE": {unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_UDPLITE},
	"SCTP": {unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_SCTP}, "DCCP": {unix.AF_INET, unix.SOCK_DCCP, unix.IPPROTO_DCCP},
	"ping": {unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP}, "raw": {unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_RAW}, "raw 6": {unix.AF_INET6, unix.SOCK_RAW, unix.IPPROTO_RAW},
	"packet": {unix.AF_PACKET, unix.SOCK_RAW, 0}, "old packet": {unix.AF_INET, unix.SOCK_PACKET, 0}, "XDP": {unix.AF_XDP, unix.SOCK_RAW, 0},
	"vsock": {unix.AF_VSOCK, unix.SOCK_STREAM, 0}, "path": {unix.AF_UNIX, unix.SOCK_STREAM, 0}, "path datagram": {unix.AF_UNIX, unix.SOCK_DGRAM, 0},
	"audit": {unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT}, "generic netlink": {unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_GENERIC},
	"crypto": {unix.AF_ALG, unix.SOCK_SEQPACKET, 0}, "bluetooth": {unix.AF_BLUETOOTH, unix.SOCK_RAW, 1}, "CAN": {unix.AF_CAN, unix.SOCK_RAW, 1},
	"TIPC": {unix.AF_TIPC, unix.SOCK_STREAM, 0}, "RDS": {unix.AF_RDS, unix.SOCK_SEQPACKET, 0}, "KCM": {unix.AF_KCM, unix.SOCK_DGRAM, 0},
	"SMC": {unix.AF_SMC, unix.SOCK_STREAM, 0}, "QIPCRTR": {unix.AF_QIPCRTR, unix.SOCK_DGRAM, 0}, "PPP": {unix.AF_PPPOX, unix.SOCK_STREAM, 0}, "none": {unix.AF_UNSPEC, unix.SOCK_RAW, 0},
}

func init() { //nolint:gochecknoinits // TestMain is for all systems
	roles[roleSockets] = playSockets
}

// playSockets tries them, and prints what became of each by its name.
func playSockets() {
	var to outer
	said := map[string]string{}
	say := func(name string, err error) { said[name] = fmt.Sprint(err) }
	say("told", json.Unmarshal([]byte(os.Getenv(roleSockets)), &to))
	for name, kind := range families {
		fd, err := unix.Socket(kind[0], kind[1], kind[2])
		say("socket "+name, err)
		_ = unix.Close(fd)
	}
	for name, address := range map[string][2]string{"dial TCP": {"tcp", to.TCP}, "dial path": {"unix", to.Path}, "dial abstract": {"unix", to.Abstract}} {
		_, err := net.DialTimeout(address[0], address[1], 5*time.Second)
		say(name, err)
	}
	if out, err := net.Dial("udp", to.UDP); err == nil {
		_, err = out.Write([]byte("udp"))
		say("send UDP", err)
	}
	say("fast open", fastOpen(to.TCP, 0))
	say("fast open MPTCP", fastOpen(to.TCP, unix.IPPROTO_MPTCP))
	_, _, ring := unix.Syscall(unix.SYS_IO_URING_SETUP, 1, 0, 0)
	say("io_uring", ring)
	_, _, key := unix.Syscall(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID, 0, 0)
	say("key", key)
	say("itself", talkToItself())
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		_, err = unix.Write(pair[0], []byte("x"))
	}
	say("pair", err)
	_, err = net.Interfaces()
	say("list of interfaces", err)
	_ = json.NewEncoder(os.Stdout).Encode(said)
	os.Exit(0)
}

// fastOpen sends with the first packet, without a connect.
func fastOpen(address string, protocol int) error {
	at, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return err
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, protocol)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	return unix.Sendto(fd, []byte("fast"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: at.Port, Addr: [4]byte(at.IP.To4())})
}

// talkToItself is what a test of a server does.
func talkToItself() error {
	for _, host := range []string{"127.0.0.1:0", "localhost:0"} {
		listener, err := net.Listen("tcp", host)
		if err != nil {
			return err
		}
		go func() { _, _ = net.Dial("tcp", listener.Addr().String()) }()
		if _, err := listener.Accept(); err != nil {
			return err
		}
		_ = listener.Close()
	}
	return nil
}

// others listen, and say who came when they are asked.
type others struct {
	outer
	tcp, path, abstract net.Listener
	udp                 net.PacketConn
}

func listenBeside(t *testing.T, folder string) *others {
	t.Helper()
	o := &others{}
	var err error
	o.tcp, err = net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	o.udp, err = net.ListenPacket("udp", "127.0.0.1:0")
	require.NoError(t, err)
	o.outer = outer{o.tcp.Addr().String(), o.udp.LocalAddr().String(), filepath.Join(folder, "s"), "@" + folder}
	o.path, err = net.Listen("unix", o.Path)
	require.NoError(t, err)
	o.abstract, err = net.Listen("unix", o.Abstract)
	require.NoError(t, err)
	t.Cleanup(func() { _, _, _, _ = o.tcp.Close(), o.udp.Close(), o.path.Close(), o.abstract.Close() })
	return o
}

// came says over which ways somebody came. All that was sent to this machine has
// arrived when its sender has ended.
func (o *others) came(t *testing.T) []string {
	t.Helper()
	var ways []string
	for name, socket := range map[string]any{"TCP": o.tcp, "path": o.path, "abstract": o.abstract, "UDP": o.udp} {
		raw, err := socket.(syscall.Conn).SyscallConn()
		require.NoError(t, err)
		require.NoError(t, raw.Control(func(fd uintptr) {
			waiting := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
			if n, err := unix.Poll(waiting, 0); n > 0 || err != nil {
				ways = append(ways, name)
			}
		}))
	}
	return ways
}

// tries runs playSockets under a confinement and gives what it said.
func (o *others) tries(t *testing.T, how helperSetup, folder string) map[string]string {
	t.Helper()
	told, err := json.Marshal(o.outer)
	require.NoError(t, err)
	p := newProcess(t.Context(), Command{Name: itselfHere, Folder: folder, Environ: []string{roleSockets + "=" + string(told)}}, how, os.Environ(), "sockets")
	require.NoError(t, p.live())
	require.Zero(t, p.report.Code, p.output.output().Head)
	said := map[string]string{}
	require.NoError(t, json.Unmarshal([]byte(p.output.output().Head), &said), p.output.output().Head)
	return said
}

// itselfHere is the test binary, wherever its file is.
const itselfHere = "/proc/self/exe"

const denied, unknown, fine = "permission denied", "function not implemented", "<nil>"
