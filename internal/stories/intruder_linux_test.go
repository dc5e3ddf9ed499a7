package stories

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The intruder is a command of a model that wants to answer the questions of a person: this test
// binary again. It does what its words say and writes a line of what came of each.
//
//	intrude RUN HOST TERMINAL WAY...

// intruding is the first word of its command line.
const intruding = "intrude"

type intruder struct {
	run      string // the folder of the sockets
	host     int    // the process of the host
	line     string // in place of that
	terminal string // the device of the person's terminal
}

var ways = map[string]func(intruder) string{
	"path":       func(i intruder) string { return i.answerAt(i.run) },
	"root":       func(i intruder) string { return i.answerAt(fmt.Sprintf("/proc/%d/root%s", i.host, i.run)) },
	"daemon":     func(i intruder) string { return i.child("orphan") },
	"orphan":     intruder.orphan,
	"daemonized": intruder.daemonized,
	"gone":       func(i intruder) string { return i.child("connector") },
	"connector":  intruder.connector,
	"holder":     func(intruder) string { return answerOver(os.NewFile(3, "connection")) },
	"rights":     intruder.rights,
	"fds":        intruder.descriptors,
	"proc":       intruder.proc,
	"pidfd":      intruder.pidfd,
	"terminal":   intruder.typeKey,
	"replace":    intruder.replace,
	"say":        intruder.say,
}

func intrude(words []string) {
	host, _ := strconv.Atoi(words[1])
	i := intruder{words[0], host, words[1], words[2]}
	for _, way := range words[3:] {
		fmt.Println(way+":", ways[way](i))
	}
}

// connections connects to each socket in a folder.
func connections(folder string) (files []*os.File, err error) {
	if err := os.Chdir(folder); err != nil { // a socket's path must be short
		return nil, err
	}
	names, _ := filepath.Glob("*.sock")
	for _, name := range names {
		conn, err := net.Dial("unix", name)
		if err != nil {
			return files, err
		}
		file, err := conn.(*net.UnixConn).File()
		_ = conn.Close()
		if err != nil {
			return files, err
		}
		files = append(files, file)
	}
	return files, nil
}

// answerAt says yes to all that is asked in the sessions of a folder.
func (i intruder) answerAt(folder string) string {
	files, err := connections(folder)
	all := []string{fmt.Sprint(len(files), " connections")}
	if err != nil {
		all = append(all, err.Error())
	}
	for _, file := range files {
		all = append(all, answerOver(file))
	}
	return strings.Join(all, ", ")
}

// answerOver says yes to all that is asked, over a connection.
func answerOver(file *os.File) string {
	conn, err := net.FileConn(file)
	_ = file.Close()
	if err != nil {
		return err.Error()
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, _ = fmt.Fprintln(conn, `{"type":"status"}`)
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		var told struct {
			Type, Error string
			Questions   []struct{ Question string }
		}
		_ = json.Unmarshal(lines.Bytes(), &told)
		switch told.Type {
		case "refused":
			return "refused: " + told.Error
		case "status":
			for _, q := range told.Questions {
				_, _ = fmt.Fprintf(conn, "{\"type\":\"answer\",\"question\":%q,\"answer\":\"once\"}\n", q.Question)
				lines.Scan()
			}
			return "REACHED " + lines.Text()
		}
	}
	return fmt.Sprint("nothing was said: ", lines.Err())
}

// child has a child of this one do something, in a session and a group of its own and without
// variables, and gives what it writes, until nobody writes any more.
func (i intruder) child(way string, files ...*os.File) string {
	cmd := exec.Command("/proc/self/exe", intruding, i.run, strconv.Itoa(i.host), i.terminal, way) //nolint:noctx // it outlives this process
	cmd.Env, cmd.Dir, cmd.SysProcAttr, cmd.ExtraFiles = []string{}, "/", &syscall.SysProcAttr{Setsid: true}, files
	out, err := cmd.CombinedOutput() // to the end of the pipe, which what it leaves behind has
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(string(out))
}

// orphan leaves a process behind.
func (i intruder) orphan() string {
	i.leave("daemonized")
	return "left"
}

func (i intruder) leave(way string, files ...*os.File) {
	cmd := exec.Command("/proc/self/exe", intruding, i.run, strconv.Itoa(i.host), i.terminal, way) //nolint:noctx // it outlives this process
	cmd.Env, cmd.Dir, cmd.SysProcAttr, cmd.ExtraFiles = []string{}, "/", &syscall.SysProcAttr{Setsid: true}, files
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
	}
}

// daemonized waits until nobody of its family is left.
func (i intruder) daemonized() string {
	before := os.Getppid()
	for limit := time.Now().Add(5 * time.Second); os.Getppid() == before && time.Now().Before(limit); {
		_ = unix.Nanosleep(&unix.Timespec{Nsec: 1e6}, nil)
	}
	return i.answerAt(i.run)
}

// connector connects and ends, and leaves the connection to another process.
func (i intruder) connector() string {
	files, err := connections(i.run)
	if err != nil {
		return err.Error()
	}
	for _, file := range files {
		i.leave("holder", file)
	}
	return "left"
}

// rights attaches with descriptors of this program.
func (i intruder) rights() string {
	files, err := connections(i.run)
	if err != nil || len(files) != 1 {
		return fmt.Sprint(len(files), " connections, ", err)
	}
	own, err := os.Open("/proc/self/exe")
	if err != nil {
		return err.Error()
	}
	fd := int(own.Fd())
	_ = unix.Sendmsg(int(files[0].Fd()), []byte(`{"type":"attach"}`+"\n"), unix.UnixRights(fd, fd, fd), nil, unix.MSG_NOSIGNAL) // it may be refused already
	return answerOver(files[0])
}

// descriptors are what this command was given beside the standard ones.
func (i intruder) descriptors() string {
	entries, _ := os.ReadDir("/proc/self/fd")
	var all []string
	for _, entry := range entries {
		where, err := os.Readlink("/proc/self/fd/" + entry.Name())
		if err == nil && !strings.HasPrefix(where, "anon_inode:[event") && !strings.HasSuffix(where, "/fd") {
			all = append(all, strings.TrimRight(where, "0123456789[]"))
		}
	}
	return strings.Join(all, " ")
}

// family is the host and those above it, as far as they are seen from here.
func (i intruder) family() (pids []int) {
	for pid := i.host; pid > 1; {
		pids = append(pids, pid)
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			break
		}
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		pid, _ = strconv.Atoi(fields[1])
		if name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); !strings.HasPrefix(string(name), "pawl") {
			break
		}
	}
	return pids
}

// proc opens what the host's family has open.
func (i intruder) proc() string {
	opened := []string{}
	for _, pid := range i.family() {
		folder := fmt.Sprintf("/proc/%d/fd", pid)
		entries, _ := os.ReadDir(folder)
		for _, entry := range entries {
			path := folder + "/" + entry.Name()
			where, _ := os.Readlink(path)
			file, err := os.OpenFile(path, os.O_RDWR|unix.O_NOCTTY, 0)
			if err != nil {
				continue
			}
			if strings.HasPrefix(where, "socket:") || strings.HasPrefix(where, "/dev/pts/") {
				opened = append(opened, where)
				_, _ = file.WriteString("y")
			}
			_ = file.Close()
		}
	}
	return "opened " + strings.Join(opened, " ")
}

// pidfd takes the descriptors of the host's family.
func (i intruder) pidfd() string {
	taken := 0
	var last error
	for _, pid := range i.family() {
		fd, err := unix.PidfdOpen(pid, 0)
		if err != nil {
			last = err
			continue
		}
		for target := range 64 {
			got, err := unix.PidfdGetfd(fd, target, 0)
			if err != nil {
				last = err
				continue
			}
			taken++
			_ = unix.Close(got)
		}
		_ = unix.Close(fd)
	}
	return fmt.Sprint("taken ", taken, ", ", last)
}

// typeKey types into the terminal, as far as it lets itself be opened.
func (i intruder) typeKey() string {
	file, err := os.OpenFile(i.terminal, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return "closed: " + err.Error()
	}
	defer file.Close()
	key := byte('y')
	if _, _, errno := unix.Syscall(unix.SYS_IOCTL, file.Fd(), unix.TIOCSTI, uintptr(unsafe.Pointer(&key))); errno != 0 {
		return "not typed: " + errno.Error()
	}
	return "TYPED"
}

// replace removes the sockets and listens in their place.
func (i intruder) replace() string {
	if err := os.Chdir(i.run); err != nil {
		return "kept: " + err.Error()
	}
	names, _ := filepath.Glob("*.sock")
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			return "kept: " + err.Error()
		}
		in, err := net.Listen("unix", name)
		if err != nil {
			return "kept: " + err.Error()
		}
		fmt.Println("REPLACED")
		for {
			conn, err := in.Accept()
			if err != nil {
				return err.Error()
			}
			_, _ = fmt.Fprintln(conn, `{"type":"end","text":"THE INTRUDER SPEAKS"}`)
			_ = conn.Close()
		}
	}
	return "no socket there"
}

// say writes the one line that it was given instead of the host, and gives the first reply.
func (i intruder) say() string {
	files, err := connections(i.run)
	if err != nil || len(files) != 1 {
		return fmt.Sprint(len(files), " connections, ", err)
	}
	_, _ = files[0].WriteString(i.line + "\n")
	for lines := bufio.NewScanner(files[0]); lines.Scan(); {
		if strings.Contains(lines.Text(), `"type":"reply"`) || strings.Contains(lines.Text(), `"type":"refused"`) {
			return lines.Text()
		}
	}
	return "nothing was said"
}
