package exporttest

import (
	"pawl/agent"
	"pawl/lifecycle"
)

// enclosures are what a message of the plot names: a file, a picture, and one that
// is not there.
func enclosures() (with []lifecycle.Enclosure, named []lifecycle.Attachment) {
	named = []lifecycle.Attachment{{Name: "cart.go", Note: "2 lines"}, {Name: "shot.png", Note: "image 640×480"}, {Name: "src/gone.go", Note: "src/gone.go does not exist", Left: true}}
	bodies := []agent.Attached{
		{Text: "<attached path=\"cart.go\">\n     1\tpackage shop\n     2\t// <script>\n</attached>"},
		{Text: "<attached path=\"shot.png\">\nshot.png: image/png\n</attached>", Images: []agent.Image{{MediaType: "image/png", Data: []byte("png")}}},
	}
	for i, one := range named {
		enclosure := lifecycle.Enclosure{Attachment: one}
		if i < len(bodies) {
			enclosure.Body = bodies[i].Encode()
		}
		with = append(with, enclosure)
	}
	return with, named
}
