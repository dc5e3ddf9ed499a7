package picturetest

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// RequireSafe fails a test unless a picture is well-formed, holds no script and refers to nothing
// outside of itself.
func RequireSafe(t testing.TB, picture string) {
	t.Helper()
	require.NoError(t, unsafe(picture))
}

func unsafe(picture string) error {
	names := []string{"svg", "style", "rect", "text", "tspan", "g", "use", "defs", "title", "desc", "line", "path", "polyline", "circle"}
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains(names, token.Name.Local) {
				return fmt.Errorf("an element %s", token.Name.Local)
			}
			for _, a := range token.Attr {
				name := strings.ToLower(a.Name.Local)
				if strings.HasPrefix(name, "on") || strings.HasSuffix(name, "href") && !strings.HasPrefix(a.Value, "#") || strings.Contains(a.Value, "url(") {
					return fmt.Errorf("an attribute %s=%q", name, a.Value)
				}
			}
		case xml.CharData:
			if text := string(token); strings.Contains(text, "@import") || strings.Contains(text, "url(") {
				return fmt.Errorf("a style that reaches out: %.80q", text)
			}
		case xml.Directive, xml.ProcInst:
			return errors.New("a directive")
		}
	}
}
