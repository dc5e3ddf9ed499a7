package acp

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"pawl/agent"
)

// message is what the editor's user has written, in the form a session takes: a text that names
// files and pictures as people do on the screen.
type message struct {
	folder string
	text   strings.Builder
	behind strings.Builder // embedded content, after the text
	reach  []string        // as in lifecycle.Message: the paths that the user has named in full
	kept   []func()        // release the pictures
}

// message joins the parts of a prompt. Call forget on the result, even after an error, once the
// message has been read.
func (s *session) message(blocks []sdk.ContentBlock) (*message, error) {
	m := &message{folder: s.Folder}
	for _, block := range blocks {
		var err error
		switch {
		case block.Text != nil:
			m.text.WriteString(block.Text.Text)
			m.reach = append(m.reach, agent.Reach(block.Text.Text)...)
		case block.ResourceLink != nil:
			m.link(block.ResourceLink.Name, block.ResourceLink.Uri)
		case block.Resource != nil:
			err = m.embed(block.Resource.Resource, s.Picture)
		case block.Image != nil:
			err = m.picture(block.Image.MimeType, block.Image.Data, s.Picture)
		default:
			err = invalid("a part of the prompt has a type that Pawl does not take: it takes text, files and images")
		}
		if err != nil {
			return m, err
		}
	}
	m.text.WriteString(m.behind.String())
	if strings.TrimSpace(m.text.String()) == "" {
		return m, invalid("the prompt is empty")
	}
	return m, nil
}

func (m *message) forget() {
	for _, forget := range m.kept {
		forget()
	}
}

// link names something that the user has linked to: a file by its path, so that it is attached
// as if named on the screen.
func (m *message) link(name, uri string) {
	path, place := fileOf(uri)
	if path == "" {
		fmt.Fprintf(&m.text, "[%s](%s)", name, uri)
		return
	}
	m.mention(path)
	if place != "" {
		fmt.Fprintf(&m.text, " (%s)", place)
	}
}

func (m *message) mention(path string) {
	name := m.short(path)
	if filepath.IsAbs(name) {
		m.reach = append(m.reach, name)
	}
	m.apart()
	m.text.WriteString(agent.Mention{Name: name, Quoted: true}.String())
}

func (m *message) apart() {
	if text := m.text.String(); text != "" && !strings.HasSuffix(text, " ") && !strings.HasSuffix(text, "\n") {
		m.text.WriteByte(' ')
	}
}

// short makes a path relative if it is inside the folder.
func (m *message) short(path string) string {
	if rel, err := filepath.Rel(m.folder, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// fileOf is the path of a link to a file, and the place in it, such as L3:9.
func fileOf(uri string) (path, place string) {
	link, err := url.Parse(uri)
	if err != nil || link.Scheme != "file" || !filepath.IsAbs(link.Path) {
		return "", ""
	}
	return filepath.Clean(link.Path), link.Fragment
}

// embed adds what the editor has sent along: a file as it is in the editor, saved or not.
func (m *message) embed(r sdk.EmbeddedResourceResource, keep keeper) error {
	if blob := r.BlobResourceContents; blob != nil {
		if blob.MimeType != nil && strings.HasPrefix(*blob.MimeType, "image/") {
			return m.picture(*blob.MimeType, blob.Blob, keep)
		}
		fmt.Fprintf(&m.text, "[%s is not attached: it is neither text nor an image]", blob.Uri)
		return nil
	}
	if r.TextResourceContents == nil {
		return invalid("an embedded resource holds nothing")
	}
	name := r.TextResourceContents.Uri
	if path, place := fileOf(name); path != "" {
		if name = m.short(path); place != "" {
			name += " (" + place + ")"
		}
	}
	m.apart()
	fmt.Fprintf(&m.text, "`%s`", name)
	fmt.Fprintf(&m.behind, "\n\n<attached path=%q>\n%s\n</attached>", name, strings.TrimSuffix(r.TextResourceContents.Text, "\n"))
	return nil
}

// keeper is the type of Session.Picture.
type keeper func(mediaType string, data []byte) (path string, forget func(), err error)

func (m *message) picture(mediaType, data string, keep keeper) error {
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return invalid("an image of the prompt is not base64: %v", err)
	}
	path, forget, err := keep(mediaType, raw)
	if err != nil {
		return invalid("%v", err)
	}
	m.kept = append(m.kept, forget)
	m.mention(path)
	return nil
}
