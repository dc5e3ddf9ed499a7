package wire

import (
	"encoding/base64"
	"fmt"

	"pawl/agent"
)

// DataURL is an image as an address that holds it.
func DataURL(image agent.Image) string {
	return "data:" + image.MediaType + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
}

// ImageOmitted is what a model is told in the place of an image that its API does not
// take.
func ImageOmitted(image agent.Image) string {
	return fmt.Sprintf("[an image of type %s was left out: it cannot be shown to this model]", image.MediaType)
}

// Supported says whether an image is one that all of these APIs take: there is
// something in it, in one of the formats of the web.
func Supported(image agent.Image) bool {
	switch image.MediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return len(image.Data) > 0
	}
	return false
}
