package instructions

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"unicode/utf8"

	"pawl/agent"
	"pawl/agent/sanitize"
	"pawl/internal/words"
)

// Limits of what is read, and of what goes into a prompt or a result.
const (
	maxFile     = 40 << 10 // bytes of one file: about 10,000 tokens
	maxAll      = 80 << 10 // bytes of all files that a prompt has
	maxBelow    = 40 << 10 // bytes of all files that a result has
	leastCut    = 1 << 10  // bytes: less of a file is not worth giving
	longestName = 150      // characters of the name of a file that is not read
	maxFiles    = 50       // files, includes counted
	maxDepth    = 5        // includes below a file that was found by its name
)

// reader reads the files of one Place, each of them once.
type reader struct {
	place  Place
	folder string   // Place.Folder without links
	top    string   // the root of the checkout
	here   string   // folder, relative to top
	root   *os.Root // of top; nil where it cannot be opened

	found []agent.Instruction
	seen  []fs.FileInfo
	full  bool // that there are too many files was said
}

// files are where a file that includes others stands, and what it may include.
type files interface {
	// locate finds the real file of a name, without links. An error is for people; fs.ErrNotExist
	// means that nothing is there.
	locate(name string) (string, error)
	open(located string) (*os.File, error)
	// include is the name of a file that one includes by a path; an error says why it may not be.
	include(by, target string) (string, error)
	title(name string) string // for people and models
	whole(located string) string
	own() bool
}

// know takes in which files a prompt holds already.
func (r *reader) know(given []agent.Instruction) {
	for _, one := range given {
		if one.File == "" {
			continue
		}
		if info, err := os.Lstat(one.File); err == nil {
			r.seen = append(r.seen, info)
		}
	}
}

func (r *reader) knows(info fs.FileInfo) bool {
	for _, one := range r.seen {
		if os.SameFile(one, info) {
			return true
		}
	}
	return false
}

// fail notes why nothing of a file is given.
func (r *reader) fail(source, by string, why string) {
	r.add(agent.Instruction{Source: words.CutLine(source, longestName), By: by, Note: why})
}

// add takes in what was found, of which there are at most maxFiles.
func (r *reader) add(one agent.Instruction) {
	if r.full {
		return
	}
	if len(r.found) == maxFiles {
		r.full = true
		one = agent.Instruction{Source: one.Source, By: one.By, Note: fmt.Sprintf("not read, nor any file after it: there are more than %d", maxFiles)}
	}
	r.found = append(r.found, one)
}

// open opens a file of which something may be given.
func (r *reader) open(from files, name string) (*opened, error) {
	located, err := from.locate(name)
	if err != nil {
		return nil, err
	}
	whole := from.whole(located)
	if err := r.allowed(whole); err != nil {
		return nil, err
	}
	file, err := from.open(located)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	return &opened{file, info, whole}, nil
}

// opened is an open file, and its whole path without links.
type opened struct {
	*os.File
	info  fs.FileInfo
	whole string
}

// deniedError says that a rule keeps a file from being read.
type deniedError struct{ error }

func (r *reader) allowed(whole string) error {
	if r.place.Readable == nil {
		return nil
	}
	subject := whole
	if rest, inside := strings.CutPrefix(whole, r.folder+string(os.PathSeparator)); inside {
		subject = rest
	}
	if err := r.place.Readable(subject); err != nil {
		return deniedError{err}
	}
	return nil
}

// take reads a file, and then what it includes. It reports whether the file says anything, also if
// it was read before. by is the title of the file that includes it.
func (r *reader) take(from files, name, by string, depth int) bool {
	if r.full {
		return false
	}
	file, err := r.open(from, name)
	if err != nil {
		r.explain(from, name, by, err)
		return false
	}
	defer file.Close()
	if r.knows(file.info) {
		return true
	}
	raw, note, err := readText(file.File)
	if err != nil {
		r.fail(from.title(name), by, reason(err))
		return false
	}
	shown, imports := parse(raw)
	if strings.TrimSpace(shown) == "" {
		return false
	}
	r.seen = append(r.seen, file.info)
	size := file.info.Size()
	one := agent.Instruction{Source: from.title(name), Text: shown, Note: note, File: file.whole, By: by, Own: from.own(), Size: size}
	if size > maxFile {
		one.Note = joined(fmt.Sprintf("it has %s: only its first %s are given", words.Size(size), words.Size(maxFile)), note)
		one.Text += cutNote(from.own())
	}
	r.add(one)
	for _, target := range imports {
		r.include(from, name, target, depth+1)
	}
	return true
}

// include reads what a line of a file includes.
func (r *reader) include(from files, by, target string, depth int) {
	title := from.title(by)
	for i, spelling := range spellings(target) {
		name, err := from.include(by, spelling)
		if err != nil {
			r.fail("@"+spelling, title, "not included by "+title+": "+err.Error())
			return
		}
		if _, err := from.locate(name); errors.Is(err, fs.ErrNotExist) && i < len(spellings(target))-1 {
			continue
		}
		if depth > maxDepth {
			r.fail(from.title(name), title, fmt.Sprintf("not included by %s: includes go %d files deep", title, maxDepth))
			return
		}
		r.take(from, name, title, depth)
		return
	}
}

// looksLikeFile tells a path from a name that people mention in the same way.
var looksLikeFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\.[A-Za-z][A-Za-z0-9]*$`) })

// explain notes why a file is not read. That nothing stands where a file was only looked for says
// nothing; nor does a word behind an @ that is no path, or a folder.
func (r *reader) explain(from files, name, by string, err error) {
	absent := errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
	switch {
	case absent && (by == "" || !looksLikeFile().MatchString(name)):
		return
	case absent:
		r.fail(from.title(name), by, "included by "+by+", and not there")
		return
	case by != "" && isFolder(err):
		return
	}
	if denied := (deniedError{}); errors.As(err, &denied) {
		r.fail(from.title(name), by, denied.Error())
		return
	}
	r.fail(from.title(name), by, reason(err))
}

// isFolder recognizes the error of package regular for one.
func isFolder(err error) bool { return strings.Contains(err.Error(), "it is a folder") }

// reason says in a few words why a file is not read.
func reason(err error) string {
	var of *fs.PathError
	switch {
	case strings.Contains(err.Error(), "escapes"):
		err = errLeadsOut
	case errors.As(err, &of):
		err = of.Err
	}
	return "not read: " + err.Error()
}

var errLeadsOut = errors.New("it leads outside the checkout through a symbolic link")

// readText reads the beginning of a file as text. What has no place in a text, or could hide in
// one, is left out, which note says.
func readText(file *os.File) (text, note string, err error) {
	raw, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err != nil {
		return "", "", err
	}
	if len(raw) > maxFile {
		raw = raw[:maxFile]
		for cut := len(raw); cut > 0 && len(raw)-cut < utf8.UTFMax; cut-- { // a character may be cut in two
			if utf8.RuneStart(raw[cut-1]) {
				if !utf8.FullRune(raw[cut-1:]) {
					raw = raw[:cut-1]
				}
				break
			}
		}
	}
	text = strings.ReplaceAll(strings.TrimPrefix(string(raw), "\ufeff"), "\r\n", "\n")
	if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
		return "", "", errors.New("it is not a text in UTF-8")
	}
	if plain(text) {
		return text, "", nil
	}
	clean := string(sanitize.Paste(text))
	if left := utf8.RuneCountInString(text) - utf8.RuneCountInString(clean); left > 0 {
		note = "left out of it: " + words.Count(left, "control or invisible character")
	}
	return clean, note, nil
}

// plain reports whether a text is ASCII without control characters, as most are: then nothing is left
// out of it.
func plain(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\n' && c != '\t' || c >= 0x7f {
			return false
		}
	}
	return true
}

func cutNote(own bool) string {
	if own {
		return "\n\n(The file is longer: this is its beginning.)"
	}
	return "\n\n(The file is longer: this is its beginning. If it is in your folder, the read tool shows the rest.)"
}

func joined(notes ...string) string {
	var said []string
	for _, note := range notes {
		if note != "" {
			said = append(said, note)
		}
	}
	return strings.Join(said, "; ")
}

// bounded keeps what all files say together within most bytes: the user's own goes first, then what is
// nearest to where the model works.
func (r *reader) bounded(most int) []agent.Instruction {
	left := most
	for i := range r.found {
		if r.found[i].Own {
			left = fit(&r.found[i], left)
		}
	}
	for i := len(r.found) - 1; i >= 0; i-- {
		if !r.found[i].Own {
			left = fit(&r.found[i], left)
		}
	}
	return r.found
}

// fit cuts a file to the bytes that are left, and returns how many are left then.
func fit(one *agent.Instruction, left int) int {
	switch {
	case len(one.Text) <= left:
		return left - len(one.Text)
	case left < leastCut:
		one.Text, one.Note = "", joined("not given: all files together are too long", one.Note)
		return left
	}
	one.Text = strings.ToValidUTF8(one.Text[:left], "") + cutNote(one.Own)
	one.Note = joined("only its first "+words.Size(int64(left))+" are given: all files together are too long", one.Note)
	return 0
}

// repeats reports whether a file that gives way says nothing but @path of files that are read.
func (r *reader) repeats(from files, name, shown string) bool {
	for line := range strings.Lines(shown) {
		line = strings.TrimSpace(line)
		target, is := strings.CutPrefix(line, "@")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		included, err := from.include(name, target)
		if !is || err != nil {
			return false
		}
		file, err := r.open(from, path.Clean(included))
		if err != nil {
			return false
		}
		file.Close()
		if !r.knows(file.info) {
			return false
		}
	}
	return true
}
