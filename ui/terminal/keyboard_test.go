package terminal

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// partedInput gives the first bytes by themselves, whatever has come behind them.
type partedInput struct {
	*os.File
	first []byte
}

func (p *partedInput) Read(to []byte) (int, error) {
	if n := copy(to, p.first); n > 0 {
		p.first = nil
		return n, nil
	}
	return p.File.Read(to)
}

// rawKeys is the keyboard of a terminal, and where its user types.
func rawKeys(t *testing.T) (*keyboard, *os.File) {
	t.Helper()
	hand, keys, err := pty.Open()
	require.NoError(t, err)
	t.Cleanup(func() {
		_ = hand.Close()
		_ = keys.Close()
	})
	_, err = term.MakeRaw(keys.Fd())
	require.NoError(t, err)
	k, ok := KeyboardOf(keys, nil, nil).(*keyboard)
	require.True(t, ok)
	return k, hand
}

// readKeys is what one read of a keyboard gives.
func readKeys(t *testing.T, k io.Reader) string {
	t.Helper()
	buffer := make([]byte, 256)
	n, err := k.Read(buffer)
	require.NoError(t, err)
	return string(buffer[:n])
}

func TestEscAloneIsToldAsAWholeKey(t *testing.T) {
	k, hand := rawKeys(t)
	for typed, want := range map[string]string{
		"\x1b":                 escKey,
		"a":                    "a",
		"\x1bb":                "\x1bb",    // alt+b
		"\x1b[A":               "\x1b[A",   // an arrow
		"a\x1b":                "a\x1b",    // in a stream
		"\x1b\x1b":             "\x1b\x1b", // twice at once
		"\x1b[200~ab\x1b[201~": "\x1b[200~ab\x1b[201~",
	} {
		_, err := hand.WriteString(typed)
		require.NoError(t, err)
		require.Equal(t, want, readKeys(t, k), "%q", typed)
	}
}

func TestAPartedSequenceIsNoEsc(t *testing.T) {
	k, hand := rawKeys(t)
	_, err := hand.WriteString("[A")
	require.NoError(t, err)
	require.True(t, readable(int32(k.keyFile.Fd()), time.Minute), "the kernel brings it by and by")
	k.keyFile = &partedInput{File: k.keyFile.(*os.File), first: []byte("\x1b")}
	require.Equal(t, "\x1b", readKeys(t, k), "the rest is there already")
	require.Equal(t, "[A", readKeys(t, k))
}

func TestInAStreamEscWaitsForTheRest(t *testing.T) {
	k, hand := rawKeys(t)
	now := time.Now()
	k.now = func() time.Time { return now }
	pasted := strings.Repeat("x", escKeys)
	for _, one := range []struct {
		after time.Duration
		typed string
		want  string
	}{
		{time.Second, "\x1b[200~" + pasted, "\x1b[200~" + pasted},
		{escQuiet - 1, "\x1b", "\x1b"}, // the beginning of the paste's end
		{1, "[201~", "[201~"},
		{escQuiet, "\r", "\r"},
		{1, "\x1b", escKey}, // a fast typist's is no stream
	} {
		now = now.Add(one.after)
		_, err := hand.WriteString(one.typed)
		require.NoError(t, err)
		require.Equal(t, one.want, readKeys(t, k))
	}
}

func TestAnInputThatIsNoFileIsReadAsItIs(t *testing.T) {
	reader, writer := io.Pipe()
	require.NoError(t, writer.Close())
	require.Equal(t, io.Reader(reader), KeyboardOf(reader, nil, nil))
}

// typedParts writes bytes to a keyboard, one by one as a slow line brings them, and
// gives what is read of each.
func typedParts(t *testing.T, k *keyboard, hand *os.File, now *time.Time, apart time.Duration, typed string) (all []string) {
	t.Helper()
	for i := range len(typed) {
		*now = now.Add(apart)
		_, err := hand.WriteString(typed[i : i+1])
		require.NoError(t, err)
		all = append(all, readKeys(t, k))
	}
	return all
}

func TestTheRestOfAKeyOnASlowLineIsNoText(t *testing.T) {
	k, hand := rawKeys(t)
	now := time.Now()
	k.now = func() time.Time { return now }
	apart := 20 * time.Millisecond
	require.Equal(t, []string{escKey, "\x1b[", "A"}, typedParts(t, k, hand, &now, apart, "\x1b[A"), "nobody could know")
	require.Equal(t, []string{"\x1b", "[", "B"}, typedParts(t, k, hand, &now, apart, "\x1b[B"), "now it is known")

	k, hand = rawKeys(t)
	k.now = func() time.Time { return now }
	require.Equal(t, []string{escKey, "["}, typedParts(t, k, hand, &now, escQuiet, "\x1b["), "a person typed it")
	require.Equal(t, []string{escKey, "b"}, typedParts(t, k, hand, &now, apart, "\x1bb"), "and is fast")
	require.Equal(t, []string{escKey}, typedParts(t, k, hand, &now, apart, "\x1b"))
}

func TestNothingInAPasteIsEsc(t *testing.T) {
	k, hand := rawKeys(t)
	now := time.Now()
	k.now = func() time.Time { return now }
	for _, one := range []struct{ typed, want string }{
		{"\x1b[200~ab", "\x1b[200~ab"},
		{"\x1b", "\x1b"}, // the beginning of its end, or pasted
		{"c\x1b[2", "c\x1b[2"},
		{"01~", "01~"},
		{"\x1b", escKey},
	} {
		now = now.Add(time.Second)
		_, err := hand.WriteString(one.typed)
		require.NoError(t, err)
		require.Equal(t, one.want, readKeys(t, k), "%q", one.typed)
	}
}

func TestOnALineEscWaitsUntilAKeyHasComeWhole(t *testing.T) {
	for _, set := range []string{"SSH_CONNECTION=10.0.0.1 1 10.0.0.2 22", "SSH_TTY=/dev/pts/1", "TERM=vt220"} {
		k, hand := rawKeys(t)
		k.sure = KeyboardOf(k.keyFile, []string{set}, nil).(*keyboard).sure
		for _, one := range [][2]string{{"\x1b", "\x1b"}, {"\x1b[A", "\x1b[A"}, {"\x1b", escKey}} {
			_, err := hand.WriteString(one[0])
			require.NoError(t, err)
			require.Equal(t, one[1], readKeys(t, k), set)
		}
	}
}
