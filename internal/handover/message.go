package handover

import (
	"encoding/json"
	"fmt"
	"os"

	"pawl/internal/socket"
)

// Version is the version of the messages. It grows when one of them changes its meaning; what the
// other side does not know is passed over.
const Version = 1

// The types of messages, from the front.
const (
	TypeAttach  = "attach"  // the first one, with the terminal's descriptors
	TypeSize    = "size"    // the terminal has another size
	TypeSignal  = "signal"  // the front was sent a signal
	TypeResumed = "resumed" // it goes on after suspend
	TypeEdited  = "edited"  // the editor has ended
)

// The types of messages, from the host.
const (
	TypeShown   = "shown"   // the screen is about to be shown
	TypeSay     = "say"     // a line for a person, on standard error
	TypeSuspend = "suspend" // stop, as a shell's job, until resumed
	TypeEdit    = "edit"    // run the user's editor on the terminal
	TypeGo      = "go"      // attach to another session
	TypeEnd     = "end"     // this screen is over
	TypeRefused = "refused" // this front may not connect: the only message
)

// Message is a line in either direction. Which fields count follows from its type.
type Message struct {
	Type string `json:"type"`

	// Of attach.
	Version int      `json:"version,omitempty"`
	Environ []string `json:"environ,omitempty"` // what says how the terminal is to be used
	Folder  string   `json:"folder,omitempty"`  // where the front stands; of go: where to begin
	Hello   *Hello   `json:"hello,omitempty"`   // how one came to this session; of go too

	// Of attach and size, in cells.
	Width  int `json:"width,omitempty"`
	Height int `json:"height,omitempty"`

	Signal  int    `json:"signal,omitempty"`
	Session string `json:"session,omitempty"` // of shown and go
	Bar     bool   `json:"bar,omitempty"`     // of shown: the terminal has a progress bar
	Text    string `json:"text,omitempty"`    // of say and end; of edited: what went wrong

	Path string `json:"path,omitempty"` // of edit

	// Of go: the command lines that open that session if no host drives it, and this one again if
	// that fails.
	Args []string `json:"args,omitempty"`
	Back []string `json:"back,omitempty"`

	// Of end.
	Code int  `json:"code,omitempty"`
	Note bool `json:"note,omitempty"` // the text is no error, and goes to standard output
	Last bool `json:"last,omitempty"` // the host ends too

	Untidy bool `json:"untidy,omitempty"` // of end and go: the modes of the terminal may not be right

	Error string `json:"error,omitempty"` // of refused: why
}

// Hello is a line about how one came to a session.
type Hello struct {
	Words   string `json:"words"`
	Trouble bool   `json:"trouble,omitempty"` // it says what went wrong
}

// Send writes a message, with descriptors.
func Send(to *socket.Conn, m Message, files ...*os.File) error {
	line, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("write a %s message: %w", m.Type, err)
	}
	return to.WriteLine(line, files...)
}

// Receive reads the next message. The caller must close the files.
func Receive(from *socket.Conn) (Message, []*os.File, error) {
	line, files, err := from.ReadLine()
	if err != nil {
		return Message{}, files, err
	}
	return read(line, files)
}

func read(line []byte, files []*os.File) (m Message, _ []*os.File, err error) {
	if err = json.Unmarshal(line, &m); err != nil {
		err = fmt.Errorf("read a message: %w", err)
	}
	return m, files, err
}
