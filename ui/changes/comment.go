package changes

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pawl/internal/words"
	"pawl/lifecycle"
)

// Place is one line of a diff: what a comment is on.
type Place struct {
	Folder string `json:"folder"`
	Path   string `json:"path"`
	Old    bool   `json:"old,omitempty"` // it is a line of the file as it was
	Line   int    `json:"line"`
	Quote  string `json:"quote"` // what it says, shortened
}

// longestQuote is how much of a line a comment repeats, in bytes.
const longestQuote = 300

// Key names a place; two places that are equal have the same.
func (p Place) Key() string {
	return fmt.Sprintf("%s\x00%s\x00%t\x00%d\x00%s", p.Folder, p.Path, p.Old, p.Line, p.Quote)
}

// Comment is what a person has written on one line, and not sent yet.
type Comment struct {
	Place
	Session lifecycle.SessionID `json:"session"` // that it goes to: whose run wrote the line
	Writer  string              `json:"writer"`
	Text    string              `json:"text"`
}

// Comments are all of one screen. They outlive the view. The zero Comments has none.
type Comments struct {
	all map[string]Comment
}

// NewComments returns comments that were kept.
func NewComments(kept []Comment) *Comments {
	c := &Comments{}
	for _, one := range kept {
		c.Put(one)
	}
	return c
}

// Put keeps a comment in the place of any other on its line; one without text is removed.
func (c *Comments) Put(one Comment) {
	if strings.TrimSpace(one.Text) == "" {
		delete(c.all, one.Key())
		return
	}
	if c.all == nil {
		c.all = map[string]Comment{}
	}
	c.all[one.Key()] = one
}

// On is the comment on a line.
func (c *Comments) On(p Place) (one Comment, is bool) {
	one, is = c.all[p.Key()]
	return one, is
}

// Count is how many there are.
func (c *Comments) Count() int { return len(c.all) }

// All are all comments, by file and line.
func (c *Comments) All() []Comment {
	return slices.SortedFunc(maps.Values(c.all), func(a, b Comment) int {
		return cmp.Or(cmp.Compare(a.Folder, b.Folder), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key(), b.Key()))
	})
}

// of are those on one file.
func (c *Comments) of(folder, path string) []Comment {
	return slices.DeleteFunc(c.All(), func(one Comment) bool { return one.Folder != folder || one.Path != path })
}

// Message is what goes to one session: all comments on what it wrote.
type Message struct {
	Session  lifecycle.SessionID
	Writer   string
	Text     string
	Comments []Comment
}

// Messages are all comments as messages, one to each session that wrote any of the lines.
func (c *Comments) Messages() []Message {
	var all []Message
	for _, one := range c.All() {
		at := slices.IndexFunc(all, func(m Message) bool { return m.Session == one.Session })
		if at < 0 {
			all, at = append(all, Message{Session: one.Session, Writer: one.Writer}), len(all)
		}
		all[at].Comments = append(all[at].Comments, one)
	}
	for i := range all {
		all[i].Text = messageText(all[i].Comments)
	}
	return all
}

// messageText says the comments to who wrote the lines.
func messageText(all []Comment) string {
	var b strings.Builder
	b.WriteString("Comments on your changes:\n")
	for _, one := range all {
		was := ""
		if one.Old {
			was = " (a line that was removed)"
		}
		fmt.Fprintf(&b, "\n%s:%d%s\n> %s\n%s\n", words.Path(one.Path), one.Line, was, one.Quote, strings.TrimSpace(one.Text))
	}
	return strings.TrimRight(b.String(), "\n")
}

// Sent removes the comments of a message, but those that were changed since.
func (c *Comments) Sent(m Message) {
	for _, one := range m.Comments {
		if now, is := c.On(one.Place); is && now == one {
			delete(c.all, one.Key())
		}
	}
}
