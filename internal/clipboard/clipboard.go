package clipboard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"pawl/internal/words"
	"pawl/tools/content"
	"pawl/tools/process"
)

// Bounds of what is read: a picture that models take, also as hexadecimal digits.
const (
	mostPicture = 5 << 20
	mostBytes   = 2*mostPicture + 1<<10
	readLimit   = 5 * time.Second // the program that owns the clipboard may be slow, or hang
)

// Content is what was copied: a picture, else a text; neither where the clipboard is empty.
type Content struct {
	Picture []byte // png, jpeg, gif or webp
	Ending  string // of a file with it
	Text    string
}

// errNone reports that no program is there to ask.
var errNone = errors.New("nothing here reads the clipboard: install wl-clipboard (Wayland) or xclip (X11), or paste the path of a picture")

// errNoDisplay reports a terminal without a clipboard of its own that could be asked.
var errNoDisplay = errors.New("this terminal has no clipboard that can be read (no WAYLAND_DISPLAY or DISPLAY): paste the path of a picture")

// Read reads the clipboard with the variables of a terminal. The error says in one line why that cannot be
// done. It takes a few seconds at most, and none of what it starts is left when it returns. No program comes
// from folder, in which models may write.
func Read(ctx context.Context, environ []string, folder string) (Content, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, readLimit, errors.New("the clipboard did not answer"))
	defer cancel()
	r := reader{ctx: ctx, environ: environ, folder: folder}
	for _, one := range programs() {
		if !one.fits(r) {
			continue
		}
		if path := r.find(one.name); path != "" {
			found, err := one.read(r, path)
			if err != nil {
				err = fmt.Errorf("%s: %w", one.name, err)
			}
			return found, err
		}
	}
	if r.variable("WAYLAND_DISPLAY") == "" && r.variable("DISPLAY") == "" && r.find("osascript") == "" {
		return Content{}, errNoDisplay
	}
	return Content{}, errNone
}

// program is one that reads clipboards.
type program struct {
	name string
	fits func(reader) bool
	read func(r reader, path string) (Content, error)
}

func programs() []program {
	has := func(name string) func(reader) bool {
		return func(r reader) bool { return r.variable(name) != "" }
	}
	always := func(reader) bool { return true }
	return []program{
		{"wl-paste", has("WAYLAND_DISPLAY"), func(r reader, path string) (Content, error) {
			return r.offered(path, []string{"--list-types"}, func(form string) []string { return []string{"--no-newline", "--type", form} })
		}},
		{"xclip", has("DISPLAY"), func(r reader, path string) (Content, error) {
			form := func(name string) []string { return []string{"-selection", "clipboard", "-o", "-t", name} }
			return r.offered(path, form("TARGETS"), form)
		}},
		{"pngpaste", always, func(r reader, path string) (Content, error) {
			if data, err := r.run(path, "-"); err == nil {
				return picture(data)
			}
			return r.pasted()
		}},
		{"osascript", always, func(r reader, path string) (Content, error) {
			if said, err := r.run(path, "-e", "the clipboard as «class PNGf»"); err == nil {
				return scripted(said)
			}
			return r.pasted()
		}},
	}
}

// reader asks programs.
type reader struct {
	ctx     context.Context //nolint:containedctx // lives as long as one call
	environ []string
	folder  string
}

func (r reader) variable(name string) string {
	for _, entry := range slices.Backward(r.environ) {
		if value, is := strings.CutPrefix(entry, name+"="); is {
			return value
		}
	}
	return ""
}

// find is the whole path of a program on the terminal's PATH; empty: it is not there. A folder that
// depends on where one stands is passed over: a checkout may hold anything.
func (r reader) find(name string) string {
	for _, folder := range filepath.SplitList(r.variable("PATH")) {
		path := filepath.Join(folder, name)
		info, err := os.Stat(path)
		if filepath.IsAbs(folder) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && !process.Inside(path, r.folder) {
			return path
		}
	}
	return ""
}

// run gives what a program writes to its standard output.
func (r reader) run(path string, args ...string) ([]byte, error) {
	from, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer from.Close()
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	got := make(chan []byte, 1)
	go func() {
		data, _ := io.ReadAll(io.LimitReader(from, mostBytes+1)) // a pipe that breaks ends it
		if len(data) > mostBytes {
			cancel(fmt.Errorf("it holds more than %s", words.Size(mostBytes)))
		}
		got <- data
	}()
	launcher := process.Launcher{Environ: func() []string { return r.environ }}
	done, err := launcher.Run(ctx, process.Command{Name: path, Args: args, Folder: string(filepath.Separator), Stdout: to})
	to.Close()
	data := <-got
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case done.ExitCode != 0:
		said, _ := done.Output.Text(mostSaid)
		return nil, errors.New(cmp.Or(words.FirstLine(strings.TrimSpace(said)), fmt.Sprintf("exit code %d", done.ExitCode)))
	}
	return data, nil
}

// mostSaid is how much of what a program says on standard error is read, in characters.
const mostSaid = 1000

// offered asks for the best of the forms that a program lists.
func (r reader) offered(path string, list []string, form func(name string) []string) (Content, error) {
	all, err := r.run(path, list...)
	if err != nil && r.ctx.Err() == nil { // that is how these programs say that nothing was copied
		return Content{}, nil
	}
	if err != nil {
		return Content{}, err
	}
	offered := strings.Fields(string(all))
	for _, name := range []string{"image/png", "image/jpeg", "image/webp", "image/gif"} {
		if slices.Contains(offered, name) {
			data, err := r.run(path, form(name)...)
			if err != nil {
				return Content{}, err
			}
			return picture(data)
		}
	}
	for _, name := range []string{"text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING"} {
		if slices.Contains(offered, name) {
			data, err := r.run(path, form(name)...)
			return Content{Text: strings.ToValidUTF8(string(data), "\uFFFD")}, err
		}
	}
	return Content{}, nil
}

// pasted is the text of a Mac's clipboard.
func (r reader) pasted() (Content, error) {
	path := r.find("pbpaste")
	if path == "" {
		return Content{}, nil
	}
	data, err := r.run(path)
	return Content{Text: strings.ToValidUTF8(string(data), "\uFFFD")}, err
}

// picture says of which kind a picture is, by what it begins with.
func picture(data []byte) (Content, error) {
	kind := content.TypeOf(data[:min(len(data), content.Sniffed)])
	if !content.IsPicture(kind) {
		return Content{}, errors.New("what it gave is no picture that models take (png, jpeg, gif, webp)")
	}
	if len(data) > mostPicture {
		return Content{}, fmt.Errorf("the picture has %s, and models take %s", words.Size(int64(len(data))), words.Size(mostPicture))
	}
	return Content{Picture: data, Ending: strings.TrimPrefix(kind, "image/")}, nil
}
