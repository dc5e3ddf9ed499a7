package process

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/launch"
	"pawl/tools/process/sandbox"
)

// roleRights makes a test binary say which rights it has, and try some.
const roleRights = "PAWL_TEST_RIGHTS"

func init() { //nolint:gochecknoinits // TestMain is for all systems
	roles[roleRights] = playRights
}

// playRights tries calls that change nothing where they are allowed.
func playRights() {
	status, _ := os.ReadFile("/proc/thread-self/status")
	said := map[string]string{"status": string(status)}
	say := func(name string, err error) { said[name] = fmt.Sprint(err) }
	var clock unix.Timex
	_, err := unix.Adjtimex(&clock)
	say("read the clock", err)
	clock.Modes = unix.ADJ_TICK // to what it is
	_, err = unix.Adjtimex(&clock)
	say("set the clock", err)
	_, _, number := unix.Syscall6(unix.SYS_REBOOT, 1, 2, 3, 0, 0, 0) // the kernel knows no such magic
	say("boot", number)
	_, err = unix.Socket(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP)
	say("a raw socket", err)
	var name unix.Utsname
	_ = unix.Uname(&name)
	say("name the machine", unix.Sethostname([]byte(unix.ByteSliceToString(name.Nodename[:]))))
	say("a priority", unix.Setpriority(unix.PRIO_PROCESS, 0, -1))
	_ = json.NewEncoder(os.Stdout).Encode(said)
	os.Exit(0)
}

// keptRights are CHOWN, DAC_OVERRIDE, FOWNER, FSETID, KILL, SETGID, SETUID, SETPCAP,
// NET_BIND_SERVICE, SYS_CHROOT, AUDIT_WRITE and SETFCAP.
const keptRights = 0xa00405fb

func rightsIn(t *testing.T, status, set string) uint64 {
	t.Helper()
	for line := range strings.Lines(status) {
		if value, found := strings.CutPrefix(line, set+":\t"); found {
			rights, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
			require.NoError(t, err)
			return rights
		}
	}
	t.Fatalf("no %s in %s", set, status)
	return 0
}

func TestNoCommandKeepsRightsOverTheMachine(t *testing.T) {
	mine, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	for _, insists := range []sandbox.Mode{sandbox.Auto, sandbox.Strict} {
		eachMode(t, func(t *testing.T, mode launch.Mode) {
			if insists == sandbox.Strict {
				needsStrict(t)
			}
			c := newCage(t)
			c.sandbox.Mode = insists
			how := c.confined(t, mode)
			p := newProcess(t.Context(), Command{Name: itselfHere, Folder: c.folder, Environ: []string{roleRights + "=1"}}, how, os.Environ(), "rights")
			require.NoError(t, p.live())
			said := map[string]string{}
			require.NoError(t, json.Unmarshal([]byte(p.output.output().Head), &said), p.output.output().Head)
			for _, set := range []string{"CapInh", "CapPrm", "CapEff", "CapAmb"} {
				require.Equal(t, rightsIn(t, string(mine), set)&keptRights, rightsIn(t, said["status"], set), "%s: what is kept is not lost either", set)
			}
			if os.Getuid() == 0 || mode == launch.Namespace { // else nobody may, and the next line is why it does no harm
				require.Zero(t, rightsIn(t, said["status"], "CapBnd")&^keptRights)
			}
			require.Contains(t, said["status"], "NoNewPrivs:\t1\n")
			require.Equal(t, fine, said["read the clock"])
			for _, name := range []string{"set the clock", "boot", "name the machine"} {
				require.Equal(t, "operation not permitted", said[name], name)
			}
			require.Contains(t, []string{"operation not permitted", denied}, said["a raw socket"])
			require.Contains(t, []string{"operation not permitted", denied}, said["a priority"])
		})
	}
}

// What a build, a package manager and a test do as root.
func TestRootKeepsWhatWorkNeeds(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("these are root's rights")
	}
	eachMode(t, func(t *testing.T, mode launch.Mode) {
		c := newCage(t)
		said := c.says(t, mode, `set -e
echo x > f && chown 1234:1234 f && chmod 000 f && cat f && echo y >> f && chmod 4755 f && touch -d 2001-01-01 f
chroot / true
if command -v setpriv; then setpriv --reuid=1234 --regid=1234 --clear-groups sh -c 'id -u; cd /tmp'; fi
if command -v setcap; then setcap cap_net_raw+ep f; fi
if command -v su && id nobody; then su -s /bin/sh nobody -c 'id -un'; fi
echo all of it`)
		require.Contains(t, said, "all of it")
	})
}
