package acp

import (
	"encoding/base64"
	"errors"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"
)

func TestAPromptIsReadAsItsUserMeantIt(t *testing.T) {
	embedded := func(uri, text string) sdk.ContentBlock {
		return sdk.ResourceBlock(sdk.EmbeddedResourceResource{TextResourceContents: &sdk.TextResourceContents{Uri: uri, Text: text}})
	}
	blob := func(mediaType string) sdk.ContentBlock {
		return sdk.ResourceBlock(sdk.EmbeddedResourceResource{BlobResourceContents: &sdk.BlobResourceContents{Uri: "file:///x", MimeType: &mediaType, Blob: "AAAA"}})
	}
	for name, row := range map[string]struct {
		blocks []sdk.ContentBlock
		text   string
		reach  []string
		error  string
	}{
		"a text":                 {blocks: []sdk.ContentBlock{sdk.TextBlock("go on")}, text: "go on"},
		"a file of the folder":   {blocks: []sdk.ContentBlock{sdk.TextBlock("see"), sdk.ResourceLinkBlock("b", "file:///work/a%20b.go#L3:9"), sdk.TextBlock(" now")}, text: `see @"a b.go" (L3:9) now`},
		"a file elsewhere":       {blocks: []sdk.ContentBlock{sdk.ResourceLinkBlock("b", "file:///etc/hosts")}, text: `@"/etc/hosts"`, reach: []string{"/etc/hosts"}},
		"a page":                 {blocks: []sdk.ContentBlock{sdk.ResourceLinkBlock("Go", "https://go.dev")}, text: "[Go](https://go.dev)"},
		"what is named in full":  {blocks: []sdk.ContentBlock{sdk.TextBlock("see @/pics/a.png")}, text: "see @/pics/a.png", reach: []string{"/pics/a.png"}},
		"a file that is unsaved": {blocks: []sdk.ContentBlock{sdk.TextBlock("fix "), embedded("file:///work/a.go", "@/pics/b.png\n"), sdk.TextBlock(", please")}, text: "fix `a.go`, please\n\n<attached path=\"a.go\">\n@/pics/b.png\n</attached>"},
		"a picture":              {blocks: []sdk.ContentBlock{sdk.ImageBlock("AAAA", "image/png")}, text: `@"/kept/1"`, reach: []string{"/kept/1"}},
		"an embedded picture":    {blocks: []sdk.ContentBlock{blob("image/png")}, text: `@"/kept/1"`, reach: []string{"/kept/1"}},
		"bytes":                  {blocks: []sdk.ContentBlock{blob("audio/wav")}, text: "[file:///x is not attached: it is neither text nor an image]"},
		"nothing":                {blocks: []sdk.ContentBlock{sdk.TextBlock(" \n")}, error: "the prompt is empty"},
		"a sound":                {blocks: []sdk.ContentBlock{sdk.AudioBlock("AAAA", "audio/wav")}, error: "a part of the prompt has a type that Pawl does not take: it takes text, files and images"},
		"a broken picture":       {blocks: []sdk.ContentBlock{sdk.ImageBlock("no!", "image/png")}, error: "an image of the prompt is not base64: illegal base64 data at input byte 2"},
		"a full disk":            {blocks: []sdk.ContentBlock{sdk.ImageBlock("AAAB", "image/png")}, error: "keep it: no space"},
	} {
		t.Run(name, func(t *testing.T) {
			kept := 0
			s := &session{Session: &Session{Folder: "/work", Picture: func(_ string, data []byte) (string, func(), error) {
				if base64.StdEncoding.EncodeToString(data) == "AAAB" {
					return "", nil, errors.New("keep it:\nno space")
				}
				kept++
				return "/kept/1", func() { kept-- }, nil
			}}}
			m, err := s.message(row.blocks)
			m.forget()
			require.Zero(t, kept)
			if row.error != "" {
				var refused *sdk.RequestError
				require.ErrorAs(t, err, &refused)
				require.Equal(t, row.error, refused.Message)
				return
			}
			require.NoError(t, err)
			require.Equal(t, row.text, m.text.String())
			require.Equal(t, row.reach, m.reach)
		})
	}
}
