package stories

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"pawl/internal/harness"
	"pawl/internal/modeltest"
)

// talkative is a stage whose model answers at once.
func talkative(t *testing.T) *harness.Stage {
	t.Helper()
	return harness.NewStage(t, modeltest.Anthropic(), func(modeltest.Request) modeltest.Reply { return modeltest.Say("I am here.") })
}

// socketOf is the only socket of a stage.
func socketOf(t *testing.T, s *harness.Stage) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(s.Home, "state", "run", "*.sock"))
	require.NoError(t, err)
	require.Len(t, paths, 1)
	return paths[0]
}

// stranger is a program that has connected.
type stranger struct {
	*net.UnixConn
	t     *testing.T
	lines *bufio.Reader
}

// dialed connects to a socket whose path may be longer than the system takes.
func dialed(path string) (net.Conn, error) {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer folder.Close()
	return net.Dial("unix", fmt.Sprintf("/proc/self/fd/%d/%s", folder.Fd(), filepath.Base(path))) //nolint:noctx // at once
}

func connected(t *testing.T, path string) stranger {
	t.Helper()
	conn, err := dialed(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(modeltest.Patience)))
	return stranger{conn.(*net.UnixConn), t, bufio.NewReader(conn)}
}

// says writes a line, with descriptors.
func (s stranger) says(line string, files ...*os.File) {
	s.t.Helper()
	var fds []int
	for _, file := range files {
		fds = append(fds, int(file.Fd()))
	}
	n, _, err := s.WriteMsgUnix([]byte(line+"\n"), unix.UnixRights(fds...), nil)
	require.NoError(s.t, err)
	if n < len(line)+1 {
		_, _ = s.Write([]byte(line + "\n")[n:]) // the host may have heard enough
	}
}

// hears reads a line.
func (s stranger) hears() string {
	s.t.Helper()
	line, err := s.lines.ReadString('\n')
	require.NoError(s.t, err)
	return line
}

// endsWith holds the connection to have nothing more.
func (s stranger) isOver() {
	s.t.Helper()
	rest, err := s.lines.ReadString('\n')
	require.Error(s.t, err, rest)
}

// unharmed holds a host to have no more open than before, and its screen to go on.
func unharmed(t *testing.T, x *harness.Terminal, before int) {
	t.Helper()
	require.Eventually(t, func() bool { return len(descriptorsOf(t, x.Pawl())) <= before }, modeltest.Patience, 10*time.Millisecond, "descriptors are left open")
	x.Type("still here")
	x.See("still here")
	x.Type(harness.KeyCtrlU)
	x.SeeNot("still here")
}

func TestWhatIsNoAttachGetsOneLineAndTheHostGoesOn(t *testing.T) {
	t.Parallel()
	s := talkative(t)
	x := s.Open(t)
	path, before := socketOf(t, s), len(descriptorsOf(t, x.Pawl()))
	reads, writes, err := os.Pipe()
	require.NoError(t, err)
	defer reads.Close()
	defer writes.Close()
	folder, err := os.Open(t.TempDir())
	require.NoError(t, err)
	defer folder.Close()
	file, err := os.Create(t.TempDir() + "/plain")
	require.NoError(t, err)
	defer file.Close()
	master, hungUp, err := pty.Open()
	require.NoError(t, err)
	defer hungUp.Close()
	require.NoError(t, master.Close())
	_, endless := lentTo(t, 65_535, 65_535)
	const attach = `{"type":"attach","version":1,"width":80,"height":24}`
	for name, row := range map[string]struct {
		line  string
		files []*os.File
		want  string
	}{
		"garbage":                 {line: "hello", want: `"ok":false`},
		"a list":                  {line: "[1,2,3]", want: `"ok":false`},
		"bytes":                   {line: "\x00\xff\xfe\x1b[31m\x80", want: `"ok":false`},
		"garbage with files":      {line: "hello", files: []*os.File{reads, writes}, want: `"ok":false`},
		"a line of 11 MB":         {line: strings.Repeat("a", 11<<20), want: "longer than 10 MB"},
		"no descriptors":          {line: attach, want: "two descriptors"},
		"one descriptor":          {line: attach, files: []*os.File{reads}, want: "two descriptors"},
		"a pipe":                  {line: attach, files: []*os.File{reads, writes}, want: "no terminal"},
		"a folder":                {line: attach, files: []*os.File{folder, folder}, want: "no terminal"},
		"a file":                  {line: attach, files: []*os.File{file, file}, want: "no terminal"},
		"five":                    {line: attach, files: []*os.File{file, file, file, file, file}, want: "no terminal"},
		"a terminal without end":  {line: attach, files: []*os.File{endless, endless}, want: "the terminal claims 65535 × 65535 cells"},
		"a terminal that is gone": {line: attach, files: []*os.File{hungUp, hungUp}, want: "no terminal"},
	} {
		c := connected(t, path)
		c.says(row.line, row.files...)
		require.Contains(t, c.hears(), row.want, name)
		if strings.HasPrefix(row.line, `{"type":"attach"`) {
			c.isOver()
		}
		require.NoError(t, c.Close())
	}
	unharmed(t, x, before)
	require.Equal(t, 0, x.Quit())
}

// lentTo is a terminal that a test lends, of any size.
func lentTo(t *testing.T, width, height int) (master, slave *os.File) {
	t.Helper()
	master, slave, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(slave, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}))
	t.Cleanup(func() {
		_ = slave.Close()
		_ = master.Close()
	})
	return master, slave
}

// display is what is drawn on a terminal that a test has lent.
type display struct {
	mu   sync.Mutex
	all  []byte
	news chan struct{}
}

func displayOf(master *os.File) *display {
	d := &display{news: make(chan struct{}, 1)}
	go func() {
		for buffer := make([]byte, 64<<10); ; {
			n, err := master.Read(buffer)
			d.mu.Lock()
			d.all = append(d.all, buffer[:n]...)
			d.mu.Unlock()
			select {
			case d.news <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	return d
}

func (d *display) drawn() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return string(d.all)
}

// sees waits until a text is drawn.
func (d *display) sees(t *testing.T, text string) {
	t.Helper()
	for limit := time.After(modeltest.Patience); !strings.Contains(d.drawn(), text); {
		select {
		case <-d.news:
		case <-limit:
			require.FailNow(t, "never drawn: "+text)
		}
	}
}

func TestAFrontThatClaimsAnythingHarmsNoHost(t *testing.T) {
	t.Parallel()
	s := talkative(t)
	x := s.Open(t)
	x.Prompt("hello")
	x.See("I am here.")
	x.Rest()
	path, before := socketOf(t, s), len(descriptorsOf(t, x.Pawl()))
	huge, err := json.Marshal(strings.Repeat("\x1b]0;title\a\x1b[2Jhuge ", 50_000))
	require.NoError(t, err)
	for name, row := range map[string]struct {
		width, height, claimed int
		line                   string
	}{
		"no size":        {0, 0, 0, ""},
		"less than none": {80, 24, -5, ""},
		"far too large":  {80, 24, 100_000, ""},
		"a huge hello":   {80, 24, 80, `,"hello":{"words":` + string(huge) + `,"trouble":true},"session":` + string(huge) + `,"folder":` + string(huge)},
		"odd variables":  {80, 24, 80, `,"environ":["TERM=","TERM=../../etc/passwd","no equals","LANG=\u001b[31m","=","COLORTERM=` + strings.Repeat("x", 100_000) + `"]`},
	} {
		t.Log(name)
		master, slave := lentTo(t, row.width, row.height)
		c := connected(t, path)
		c.says(fmt.Sprintf(`{"type":"attach","version":1,"width":%d,"height":%[1]d%s}`, row.claimed, row.line), slave, slave)
		require.Contains(t, c.hears(), `"shown"`, name)
		d := displayOf(master)
		d.sees(t, "\x1b[?1049h")
		for _, line := range []string{
			fmt.Sprintf(`{"type":"size","width":%d,"height":%[1]d}`, row.claimed), `{"type":"size","width":1}`, `{"type":"size","width":1000000000,"height":1000000000}`,
			`{"type":"signal","signal":99999}`, `{"type":"signal","signal":-1}`, `{"type":"signal"}`, `{"type":"resumed","width":-1}`, `{"type":"edited","text":"nobody asked"}`,
			`{"type":"attach"}`, `{"type":"nothing that is known"}`, `{"type":"size","width":100,"height":30}`,
		} {
			c.says(line)
		}
		if row.claimed > 80 { // what is drawn of it takes long
			require.NoError(t, pty.Setsize(slave, &pty.Winsize{Cols: 65_535, Rows: 65_535}))
			c.says(`{"type":"size","width":65535,"height":65535}`)
		}
		c.says(`{"type":"size","width":100,"height":30}`)
		_, err := master.WriteString("Z")
		require.NoError(t, err)
		d.sees(t, "Z")
		_, err = master.WriteString(harness.KeyCtrlU)
		require.NoError(t, err)
		require.NotContains(t, d.drawn(), "\x1b]0;title")
		x.Type("still here")
		x.See("still here")
		x.Type(harness.KeyCtrlU)
		x.SeeNot("still here")
		c.says(`{"type":"signal","signal":1}`)
		require.Contains(t, c.hears(), `"end"`, name)
		require.NoError(t, c.Close())
	}
	unharmed(t, x, before)
	require.Less(t, residentOf(t, x.Pawl()), 700<<20)
	require.Equal(t, 0, x.Quit())
}

// residentOf is a process's memory in bytes.
func residentOf(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	require.NoError(t, err)
	var size, resident int
	_, err = fmt.Sscan(string(text), &size, &resident)
	require.NoError(t, err)
	return resident * os.Getpagesize()
}

func TestAThousandConnectionsAreToldAndTheHostGoesOn(t *testing.T) {
	t.Parallel()
	s := talkative(t)
	x := s.Open(t)
	x.Prompt("hello")
	x.See("I am here.")
	x.Rest()
	path, before := socketOf(t, s), len(descriptorsOf(t, x.Pawl()))
	var all []stranger
	for range 128 {
		c := connected(t, path)
		_, err := c.Write([]byte(`{"type":"sta`)) // half a line, then silence
		require.NoError(t, err)
		all = append(all, c)
	}
	for range 1000 - 128 {
		c := connected(t, path)
		require.Contains(t, c.hears(), "this session has 128 connections already: close one of them first")
		c.isOver()
		require.NoError(t, c.Close())
	}
	y := harness.Start(t, s.Dir, s.Env, "attach", strings.TrimSuffix(filepath.Base(path), ".sock"))
	y.AwaitEnd()
	y.Drain()
	require.Contains(t, y.Raw(), "this session has 128 connections already")
	for _, c := range all {
		require.NoError(t, c.Close())
	}
	unharmed(t, x, before)
	for range 10_000 {
		conn, err := dialed(path)
		if err == nil {
			err = conn.Close()
		}
		if err != nil && !strings.Contains(err.Error(), syscall.EAGAIN.Error()) { // so many wait
			require.NoError(t, err)
		}
	}
	unharmed(t, x, before)
	y = harness.Start(t, s.Dir, s.Env, "attach", strings.TrimSuffix(filepath.Base(path), ".sock"))
	y.See("I am here.")
	require.Equal(t, 0, y.Quit())
	require.Equal(t, 0, x.Quit())
}

func TestAProgramThatNeverReadsHoldsUpNobody(t *testing.T) {
	t.Parallel()
	s := harness.NewStage(t, modeltest.Anthropic(), func(h modeltest.Request) modeltest.Reply {
		return modeltest.Say(strings.Repeat("much and more of it. ", 20_000), fmt.Sprintf("That was number %d.", len(h.Messages)))
	})
	x := s.Open(t)
	path := socketOf(t, s)
	c := connected(t, path)
	c.says(`{"type":"watch","partial":true}`)
	for n := range 5 {
		x.Prompt(fmt.Sprint("say much, time ", n))
		x.See(fmt.Sprintf("That was number %d.", 2*n+1))
		x.Rest()
	}
	require.NoError(t, c.Close())
	require.Equal(t, 0, x.Quit())
}

// A session's socket that is not its host's, in the hands of another process of the same user: what it
// says reaches the terminal as text, and it starts nothing.
func TestARogueHostGetsNothingOutOfAFront(t *testing.T) {
	t.Parallel()
	s := talkative(t).With("VISUAL=", "EDITOR=touch "+filepath.Join(t.TempDir(), "theirs"))
	run := filepath.Join(s.Home, "state", "run")
	require.NoError(t, os.MkdirAll(run, 0o700))
	const session = "01a20c6e-cdfa-7a47-a013-fcd7028efa06"
	folder, err := os.Open(run)
	require.NoError(t, err)
	defer folder.Close()
	in, err := net.Listen("unix", fmt.Sprintf("/proc/self/fd/%d/%s.sock", folder.Fd(), session))
	require.NoError(t, err)
	defer in.Close()
	bait := filepath.Join(t.TempDir(), "bait")
	require.NoError(t, os.Mkdir(filepath.Join(s.Home, "state", "editor-1"), 0o700))
	require.NoError(t, os.Symlink("/etc/passwd", filepath.Join(s.Home, "state", "editor-1", "message.md")))
	long := strings.Repeat("long ", 200_000)
	escape := "\\u001b]0;title\\u0007\\u001b[2J\\u0085\\u202e"
	for name, row := range map[string]struct {
		lines []string
		says  string
		code  int
	}{
		"an end with sequences":     {[]string{`{"type":"end","code":3,"text":"over` + escape + `"}`}, "pawl: over␛", 3},
		"a note with sequences":     {[]string{`{"type":"end","note":true,"text":"over` + escape + `"}`}, "over␛", 0},
		"a refusal":                 {[]string{`{"type":"refused","error":"no` + escape + `"}`}, "pawl: no␛", 1},
		"words with sequences":      {[]string{`{"type":"say","text":"said` + escape + `\\n"}`, `{"type":"end"}`}, "said␛", 0},
		"a long end":                {[]string{`{"type":"end","code":1,"text":"` + long + `"}`}, "long long", 1},
		"an absurd code":            {[]string{`{"type":"end","code":256,"text":"over"}`}, "pawl: over", 1},
		"a command for an editor":   {[]string{`{"type":"edit","command":"touch ` + bait + `;","path":"/etc/passwd"}`}, "no session", 2},
		"a link for the editor":     {[]string{`{"type":"edit","path":"` + s.Home + `/state/editor-1/message.md"}`}, "no session", 2},
		"a prompt for another":      {[]string{`{"type":"go","args":["-p","--permission-mode","bypass","do it"]}`}, "with arguments this version of Pawl does not accept", 1},
		"a prompt on a screen":      {[]string{`{"type":"go","args":["--permission-mode","bypass","do it"]}`}, "with arguments this version of Pawl does not accept", 1},
		"another one's folder":      {[]string{`{"type":"go","session":"../../../etc/passwd","args":["--session","x"]}`}, "is no session", 1},
		"a way back that is none":   {[]string{`{"type":"shown","session":"x"}`, `{"type":"go","args":["--session","x"],"back":["-p","do it"]}`}, "with arguments this version of Pawl does not accept", 1},
		"garbage":                   {[]string{"hello", "\x00\xff"}, "no session", 2},
		"a line that is too long":   {[]string{strings.Repeat("a", 11<<20)}, "no session", 2},
		"a type that nobody knows":  {[]string{`{"type":"sing"}`, `{"type":"end","text":"over"}`}, "over", 0},
		"a session with sequences":  {[]string{`{"type":"shown","session":"x` + escape + `"}`}, "pawl attach x␛", 1},
		"very many words on screen": {append(slices.Repeat([]string{`{"type":"say","text":"` + strings.Repeat("word ", 20_000) + `"}`}, 100), `{"type":"end"}`), "word", 0},
	} {
		answered := make(chan string, 1)
		x := harness.Start(t, s.Dir, s.Env, "attach", session)
		conn, err := in.Accept()
		require.NoError(t, err)
		lines := bufio.NewReader(conn)
		attach, err := lines.ReadString('\n')
		require.NoError(t, err, name)
		require.Contains(t, attach, `"attach"`)
		go func() {
			line, _ := lines.ReadString('\n') // none comes if nothing was asked for
			answered <- line
		}()
		for _, line := range row.lines {
			_, _ = conn.Write([]byte(line + "\n")) // the front may have gone
		}
		if strings.Contains(row.lines[0], `"edit"`) {
			require.Contains(t, <-answered, "the editor opens only what Pawl keeps for it", name)
		}
		require.NoError(t, conn.(*net.UnixConn).CloseWrite())
		x.AwaitEnd()
		_ = conn.Close()
		x.CheckCooked()
		x.Drain()
		require.Contains(t, x.Raw(), row.says, name)
		require.NotContains(t, x.Raw(), "\x1b]0;title", name)
		require.NotContains(t, x.Raw(), "\u202e", name)
		require.Less(t, len(x.Raw()), 11_000_000, name)
		require.Equal(t, row.code, x.Cmd.ProcessState.ExitCode(), name+": "+x.Raw())
	}
	require.NoFileExists(t, bait)
}

// Whoever attaches to what is not there, or not theirs, reads one line.
func TestAnAttachThatCannotBeIsOneLine(t *testing.T) {
	t.Parallel()
	s := talkative(t)
	first, second := s.Open(t), s.Open(t)
	for _, x := range []*harness.Terminal{first, second} {
		x.Prompt("hello")
		x.See("I am here.")
	}
	run := filepath.Join(s.Home, "state", "run")
	paths, err := filepath.Glob(filepath.Join(run, "*.sock"))
	require.NoError(t, err)
	require.Len(t, paths, 2)
	session := strings.TrimSuffix(filepath.Base(paths[0]), ".sock")
	attached := func(id string) string {
		y := harness.Start(t, s.Dir, s.Env, "attach", id)
		y.AwaitEnd()
		y.CheckCooked()
		y.Drain()
		require.NotZero(t, y.Cmd.ProcessState.ExitCode(), y.Raw())
		text := strings.ReplaceAll(y.Raw(), "\r\n", "\n")
		harness.RequireOneLine(t, text)
		return text
	}
	require.Contains(t, attached("nope"), `no session "nope"`)
	require.Contains(t, attached(session[:4]), "could be")
	require.Contains(t, attached("../../etc/passwd"), "no session")
	require.Contains(t, attached("\x1b]0;title\a"), "no session")

	require.NoError(t, os.Chmod(run, 0o777))
	require.Contains(t, attached(session), "other users may write to the folder for sockets")
	require.NoError(t, os.Chmod(run, 0o700))
	if os.Getuid() == 0 {
		require.NoError(t, os.Chown(run, nobody, nobody))
		require.Contains(t, attached(session), "belongs to another user")
		require.NoError(t, os.Chown(run, 0, 0))
		require.NoError(t, os.Rename(paths[0], paths[0]+".away"))
		end := listensAsNobody(t, paths[0])
		require.Contains(t, attached(session), fmt.Sprintf("cannot be trusted: it belongs to user %d", nobody))
		end()
		require.NoError(t, os.Rename(paths[0]+".away", paths[0]))
	}
	for _, x := range []*harness.Terminal{first, second} {
		require.Equal(t, 0, x.Quit())
	}
}

// listensAsNobody puts the socket of another user at a path, until it is told to end.
func listensAsNobody(t *testing.T, path string) (end func()) {
	t.Helper()
	theirs, err := os.MkdirTemp("", "nobody")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(theirs) })
	require.NoError(t, os.Chown(theirs, nobody, nobody))
	program := filepath.Join(theirs, "program")
	copied(t, os.Args[0], program)
	cmd := exec.Command(program, intruding, theirs, "", "", "listen") //nolint:noctx // end ends it
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "listening\n", line)
	require.NoError(t, os.Rename(filepath.Join(theirs, "s"), path))
	return func() {
		require.NoError(t, in.Close())
		require.NoError(t, cmd.Wait())
		require.NoError(t, os.Remove(path))
	}
}
