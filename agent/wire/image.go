package wire

import (
	"encoding/base64"
	"fmt"
	"slices"

	"pawl/agent"
)

// DataURL is a data URL with the image in it.
func DataURL(image agent.Image) string {
	return "data:" + image.MediaType + ";base64," + base64.StdEncoding.EncodeToString(image.Data)
}

// ImageOmitted is the text that replaces an image which the API does not accept.
func ImageOmitted(image agent.Image) string {
	return fmt.Sprintf("[an image of type %s was left out: it cannot be shown to this model]", image.MediaType)
}

// Supported reports whether all of these APIs accept an image: it is not empty, and in one
// of the web's formats.
func Supported(image agent.Image) bool {
	return len(image.Data) > 0 && slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, image.MediaType)
}
