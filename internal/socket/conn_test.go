//go:build !windows

package socket

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestLinesPassBothWays(t *testing.T) {
	a, b := pair(t)
	require.NoError(t, a.WriteLine([]byte("one")))
	require.NoError(t, a.WriteLine([]byte("two\n")))
	require.NoError(t, b.WriteLine([]byte("three")))
	_, err := a.Write([]byte("four\n\nfive"))
	require.NoError(t, err)
	require.NoError(t, a.CloseWrite())
	for _, want := range []string{"one", "two", "four", "", "five"} {
		require.Equal(t, want, read(t, b))
	}
	_, _, err = b.ReadLine()
	require.ErrorIs(t, err, io.EOF)
	require.Equal(t, "three", read(t, a), "the other way is still open")
	require.NoError(t, a.Close())
	require.Error(t, b.WriteLine([]byte("nobody")))
	_, _, err = a.ReadLine()
	require.ErrorIs(t, err, net.ErrClosed)
}

func TestManyWritersKeepTheirLinesWhole(t *testing.T) {
	a, b := pair(t)
	const writers, lines = 8, 50
	var all sync.WaitGroup
	for i := range writers {
		all.Go(func() {
			for range lines {
				_ = a.WriteLine(bytes.Repeat([]byte{byte('a' + i)}, 5000))
			}
		})
	}
	for range writers * lines {
		line := read(t, b)
		require.Equal(t, strings.Repeat(line[:1], 5000), line)
	}
	all.Wait()
}

func TestALineThatIsTooLongIsLeftOutAndTheNextOneComes(t *testing.T) {
	a, b := pair(t)
	longest := bytes.Repeat([]byte{'x'}, LongestLine)
	go func() {
		_ = a.WriteLine(longest)
		_ = a.WriteLine(append(longest, 'x'), os.Stdin)
		_ = a.WriteLine([]byte("next"))
		_ = a.WriteLine(append(longest, longest...))
		_, _ = a.Write(append(longest, 'x'))
		_ = a.CloseWrite()
	}()
	require.Len(t, read(t, b), LongestLine)
	for _, want := range []string{"", "next", "", ""} {
		line, files, err := b.ReadLine()
		require.Equal(t, want, string(line))
		require.Equal(t, want == "", errors.Is(err, ErrLongLine), err)
		require.Empty(t, files)
	}
	_, _, err := b.ReadLine()
	require.ErrorIs(t, err, io.EOF)
}

func TestFilesComeWithTheirLine(t *testing.T) {
	a, b := pair(t)
	send := func(text string, names ...string) {
		var files []*os.File
		for _, name := range names {
			file, err := os.Create(t.TempDir() + "/" + name)
			require.NoError(t, err)
			_, err = file.WriteString(name)
			require.NoError(t, err)
			defer file.Close()
			files = append(files, file)
		}
		require.NoError(t, a.WriteLine([]byte(text), files...))
	}
	send("none")
	send("one", "x")
	send("none")
	send("none")
	send("three", "p", "q", "r")
	send("two", "s", "t")
	send("none")
	for _, want := range []struct{ line, files string }{
		{"none", ""}, {"one", "x"}, {"none", ""}, {"none", ""}, {"three", "pqr"}, {"two", "st"}, {"none", ""},
	} {
		line, files, err := b.ReadLine()
		require.NoError(t, err)
		require.Equal(t, want.line, string(line))
		require.Equal(t, want.files, content(t, files))
	}
	require.ErrorContains(t, a.WriteLine([]byte("four"), os.Stdin, os.Stdin, os.Stdin, os.Stdin), "at most 3")
}

func TestFilesBeyondThreeAreClosed(t *testing.T) {
	a, b := pair(t)
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer read.Close()
	fd := int(write.Fd()) //nolint:gosec // a descriptor
	_, _, err = a.conn.WriteMsgUnix([]byte("many\n"), unix.UnixRights(fd, fd, fd, fd, fd, fd), nil)
	require.NoError(t, err)
	require.NoError(t, write.Close())
	_, files, err := b.ReadLine()
	require.NoError(t, err)
	require.Len(t, files, MaxFiles)
	closeAll(files)
	require.NoError(t, read.SetReadDeadline(time.Now().Add(time.Minute)))
	_, err = read.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF, "nobody has the other end any more")
}

func TestFilesThatNobodyTakesAreClosed(t *testing.T) {
	for name, leave := range map[string]func(b *Conn) error{
		"read as bytes": func(b *Conn) error {
			_, err := io.ReadFull(b, make([]byte, len("line\nrest")))
			return err
		},
		"closed": func(b *Conn) error {
			line, _, err := b.ReadLine()
			return errors.Join(err, b.Close(), same(string(line), "line"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := pair(t)
			read, write, err := os.Pipe()
			require.NoError(t, err)
			defer read.Close()
			require.NoError(t, a.WriteLine([]byte("line")))
			_, _, err = a.conn.WriteMsgUnix([]byte("rest"), unix.UnixRights(int(write.Fd())), nil) //nolint:gosec // a descriptor
			require.NoError(t, err)
			require.NoError(t, write.Close())
			require.NoError(t, leave(b))
			require.NoError(t, read.SetReadDeadline(time.Now().Add(time.Minute)))
			_, err = read.Read(make([]byte, 1))
			require.ErrorIs(t, err, io.EOF)
		})
	}
}

func TestBytesAndLinesCanBeReadInTurn(t *testing.T) {
	a, b := pair(t)
	_, err := a.Write([]byte("one\ntwo\nthree\n"))
	require.NoError(t, err)
	require.Equal(t, "one", read(t, b))
	part := make([]byte, 2)
	_, err = io.ReadFull(b, part)
	require.NoError(t, err)
	require.Equal(t, "tw", string(part))
	require.Equal(t, "o", read(t, b))
	require.NoError(t, a.WriteLine([]byte("four"), os.Stdin))
	require.Equal(t, "three", read(t, b))
	_, files, err := b.ReadLine()
	require.NoError(t, err)
	require.Len(t, files, 1)
	closeAll(files)
}

func TestADeadlineKeepsWhatHasCome(t *testing.T) {
	a, b := pair(t)
	_, err := a.Write([]byte("half"))
	require.NoError(t, err)
	require.NoError(t, b.SetReadDeadline(time.Now().Add(20*time.Millisecond)))
	_, _, err = b.ReadLine()
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, b.SetReadDeadline(time.Time{}))
	require.NoError(t, a.WriteLine([]byte(" a line")))
	require.Equal(t, "half a line", read(t, b))
}

func TestAChildTakesOverItsEndOfAPair(t *testing.T) {
	conn, file, err := Pair()
	require.NoError(t, err)
	defer conn.Close()
	command := child(t, "inherit")
	command.ExtraFiles = []*os.File{file}
	require.NoError(t, command.Start())
	require.NoError(t, file.Close())
	require.NoError(t, conn.WriteLine([]byte("hello")))
	require.Equal(t, "got hello", read(t, conn))
	_, _, err = conn.ReadLine()
	require.ErrorIs(t, err, io.EOF, "the child was the only other one")
	require.NoError(t, command.Wait())
}

func TestWhatIsNoConnectionIsNotTakenForOne(t *testing.T) {
	for name, make := range map[string]func() (int, error){
		"nothing": func() (int, error) { return 999_999, nil },
		"file":    func() (int, error) { return unix.Open(t.TempDir(), unix.O_RDONLY|unix.O_CLOEXEC, 0) },
		"network": func() (int, error) { return unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0) },
	} {
		fd, err := make()
		require.NoError(t, err)
		_, err = FromFD(fd)
		require.ErrorContains(t, err, fmt.Sprintf("descriptor %d is", fd), name)
	}
}

func TestOnlyALineOfItsTypeIsARefusal(t *testing.T) {
	require.NoError(t, Refusal([]byte(`{"type":"status","error":"x"}`)))
	require.NoError(t, Refusal([]byte(`garbage`)))
	require.EqualError(t, Refusal([]byte(`{"type":"refused","error":"x"}`)), "x")
}

func read(t *testing.T, c *Conn) string {
	t.Helper()
	line, files, err := c.ReadLine()
	require.NoError(t, err)
	require.Empty(t, files)
	return string(line)
}

func content(t *testing.T, files []*os.File) (text string) {
	t.Helper()
	for _, file := range files {
		_, err := file.Seek(0, io.SeekStart)
		require.NoError(t, err)
		all, err := io.ReadAll(file)
		require.NoError(t, err)
		text += string(all)
		require.NoError(t, file.Close())
	}
	return text
}

func same(got, want string) error {
	if got != want {
		return fmt.Errorf("%q is not %q", got, want)
	}
	return nil
}
