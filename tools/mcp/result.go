package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"pawl/agent"
	"pawl/tools/content"
)

// Limits of a result: more text than any model reads, of which all goes to a file and the ends
// to the model (tools.Bounded), and the size of pictures that read shows.
const (
	longestText    = 4 << 20 // characters
	largestPicture = 5 << 20
)

// resultOf turns a server's answer into a result: its texts in order, a line for each part that
// is not text, pictures beside them; the structured content if there is no text.
func resultOf(r *sdk.CallToolResult) agent.Result {
	result := agent.Result{IsError: r.IsError}
	var texts []string
	hasText := false
	for _, part := range r.Content {
		text, image := partOf(part)
		if image != nil {
			result.Images = append(result.Images, *image)
		}
		if text != "" {
			texts = append(texts, text)
		}
		_, plain := part.(*sdk.TextContent)
		hasText = hasText || plain && text != ""
	}
	if !hasText && r.StructuredContent != nil {
		if encoded, err := json.Marshal(r.StructuredContent); err == nil {
			texts = append(texts, string(encoded))
		}
	}
	result.Text = clipped(strings.Join(texts, "\n"), longestText)
	result.View = agent.PlainView{Text: result.Text}
	return result
}

func partOf(part sdk.Content) (text string, image *agent.Image) {
	switch part := part.(type) {
	case *sdk.TextContent:
		return part.Text, nil
	case *sdk.ImageContent:
		size := fmt.Sprintf("%s, %d bytes", line(part.MIMEType, lineLength), len(part.Data))
		if !content.IsPicture(part.MIMEType) || len(part.Data) == 0 || len(part.Data) > largestPicture {
			return "[a picture that cannot be shown: " + size + "]", nil
		}
		shown := agent.Image{MediaType: part.MIMEType, Data: part.Data}
		if wide := shown.TooWide(); wide != "" {
			return "[a picture that cannot be shown: " + size + ", " + wide + "]", nil
		}
		return "[a picture: " + size + "]", &shown
	case *sdk.AudioContent:
		return fmt.Sprintf("[a sound, which cannot be played: %s, %d bytes]", line(part.MIMEType, lineLength), len(part.Data)), nil
	case *sdk.ResourceLink:
		return strings.TrimSpace(fmt.Sprintf("[%s: %s] %s", line(part.Name, lineLength), line(part.URI, 10*lineLength), part.Description)), nil
	case *sdk.EmbeddedResource:
		if r := part.Resource; r != nil && content.IsPicture(r.MIMEType) && len(r.Blob) > 0 { // an embedded picture is still a picture
			return partOf(&sdk.ImageContent{MIMEType: r.MIMEType, Data: r.Blob})
		}
		return resource(part.Resource), nil
	}
	return "[a part that Pawl does not know]", nil
}

func resource(r *sdk.ResourceContents) string {
	switch {
	case r == nil:
		return ""
	case r.Text != "":
		return fmt.Sprintf("[%s]\n%s", line(r.URI, 10*lineLength), r.Text)
	case content.IsText(r.MIMEType) && utf8.Valid(r.Blob) && len(r.Blob) > 0:
		return fmt.Sprintf("[%s]\n%s", line(r.URI, 10*lineLength), r.Blob)
	}
	return fmt.Sprintf("[%s: %s, %d bytes, no text]", line(r.URI, 10*lineLength), line(r.MIMEType, lineLength), len(r.Blob))
}
