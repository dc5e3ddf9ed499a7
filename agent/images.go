package agent

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // what follows are the images that are measured
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"

	"pawl/lifecycle"
)

const (
	// WidestImage is how many pixels a side of an image may have. Anthropic refuses a request with a
	// larger one, and with it each later request of the session.
	WidestImage = 8000
	// manyWidest is the same where a request has more than twenty images.
	manyWidest = 2000
)

const (
	// imageOmitted replaces an image for a model that takes none.
	imageOmitted = "[an image: this model does not take images]"
	// imageRefused replaces one that the model's server has refused.
	imageRefused = "[an image that the model's server refused: a smaller one, or one in another format, may be taken]"
)

// Pixels are the width and the height of an image; 0 of one that is not measured, as WebP.
func (i Image) Pixels() (width, height int) {
	size, _, err := image.DecodeConfig(bytes.NewReader(i.Data))
	if err != nil {
		return 0, 0
	}
	return size.Width, size.Height
}

// TooWide says how large an image is that no model is given, and what it may be; empty for all others.
func (i Image) TooWide() string {
	width, height := i.Pixels()
	if max(width, height) <= WidestImage {
		return ""
	}
	return fmt.Sprintf("%d×%d pixels, models take up to %d on a side: make it smaller first", width, height, WidestImage)
}

// stripImages replaces images by texts; replaced gives that of each, empty where it stays. It does
// not change messages: another model of the session may take them.
func stripImages(messages []Message, replaced func(Image) string) []Message {
	messages = slices.Clone(messages)
	for i, m := range messages {
		if !slices.ContainsFunc(m.Parts, hasImages) {
			continue
		}
		messages[i].Parts = slices.Clone(m.Parts)
		for j, part := range m.Parts {
			messages[i].Parts[j] = withoutImages(part, replaced)
		}
	}
	return messages
}

func hasImages(part Part) bool {
	return part.Image != nil || part.Result != nil && len(part.Result.Images) > 0
}

func withoutImages(part Part, replaced func(Image) string) Part {
	switch {
	case part.Image != nil:
		if text := replaced(*part.Image); text != "" {
			return Part{Text: text}
		}
	case part.Result != nil:
		result := *part.Result
		result.Images = nil
		for _, image := range part.Result.Images {
			text := replaced(image)
			if text == "" {
				result.Images = append(result.Images, image)
				continue
			}
			if result.Text != "" {
				result.Text += "\n"
			}
			result.Text += text
		}
		return Part{Result: &result}
	}
	return part
}

// imagesIn lists the images of messages.
func imagesIn(messages []Message) (all []Image) {
	for _, m := range messages {
		for _, part := range m.Parts {
			if part.Image != nil {
				all = append(all, *part.Image)
			}
			if part.Result != nil {
				all = append(all, part.Result.Images...)
			}
		}
	}
	return all
}

// imageRefusals are what servers have refused of images, for the life of a process. Without it one refused
// image, which stays in the transcript, would fail every later request. The zero value knows of
// nothing. It is safe for concurrent use.
type imageRefusals struct {
	mu       sync.Mutex
	takeNone map[string]bool // models ("provider/name") that take none
	refused  map[string]map[[sha256.Size]byte]bool
}

// replaced returns the text in place of an image for a model; empty if that is shown it.
func (s *imageRefusals) replaced(model string, image Image) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch refused := s.refused[model]; {
	case s.takeNone[model]:
		return imageOmitted
	case len(refused) > 0 && refused[sha256.Sum256(image.Data)]:
		return imageRefused
	}
	return ""
}

// learn reports whether a server refuses a request because of its images, and remembers which of
// them the model is not sent any more: all there will be if it takes none; those that are too large
// where there are many; or else those of this request, for few servers say which one it was.
func (s *imageRefusals) learn(model string, sent []Message, err error) bool {
	images := imagesIn(sent)
	said, ok := refusesImages(images, err)
	if !ok {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if takesNone(said) {
		if s.takeNone == nil {
			s.takeNone = map[string]bool{}
		}
		s.takeNone[model] = true
		return true
	}
	large := slices.DeleteFunc(slices.Clone(images), func(i Image) bool {
		width, height := i.Pixels()
		return max(width, height) <= manyWidest
	})
	if len(large) > 0 && strings.Contains(said, "dimension") {
		images = large
	}
	if s.refused == nil {
		s.refused = map[string]map[[sha256.Size]byte]bool{}
	}
	if s.refused[model] == nil {
		s.refused[model] = map[[sha256.Size]byte]bool{}
	}
	for _, image := range images {
		s.refused[model][sha256.Sum256(image.Data)] = true
	}
	return true
}

// refusesImages returns what a server says against the images of a request, in lower case.
func refusesImages(sent []Image, err error) (said string, ok bool) {
	var failed *ProviderError
	if len(sent) == 0 || !errors.As(err, &failed) || failed.Kind != lifecycle.FailProvider && failed.Kind != lifecycle.FailRefused {
		return "", false
	}
	said = strings.ToLower(failed.Message)
	switch failed.Status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return said, takesNone(said) || strings.Contains(said, "image") || strings.Contains(said, "picture")
	case http.StatusNotFound, http.StatusInternalServerError: // of OpenRouter and of llama.cpp
		return said, takesNone(said)
	}
	return "", false
}

// noImages matches what servers say of a model that takes no images: what is not supported is no
// format of one.
var noImages = regexp.MustCompile("unknown variant .?image|(not|n't|that) support (image|vision|multi-?modal)|images?(_url)?( inputs?| content)? (is|are) not supported|" +
	"not a (multi-?modal|vision) model|at most 0 image|required for image input")

func takesNone(said string) bool {
	named := func(word string) bool { return strings.Contains(said, word) }
	return noImages.MatchString(said) && !slices.ContainsFunc([]string{"format", "media type", "media_type", "mime"}, named)
}

// shown is what the model is sent of messages: images that it takes.
func (t *activeRun) shown(messages []Message) []Message {
	return stripImages(messages, func(image Image) string {
		if t.info.Images == Unable {
			return imageOmitted
		}
		return t.loop.Gate.images.replaced(t.name, image)
	})
}

// warnImages records, once a run and model, that the model is not sent images because its server has
// refused them. Where it is known before that it takes none, people are told when they send one.
func (t *activeRun) warnImages(messages []Message) error {
	about := "images of " + t.name
	if t.info.Images == Unable || t.warned[about] {
		return nil
	}
	for _, image := range imagesIn(messages) {
		switch t.loop.Gate.images.replaced(t.name, image) {
		case imageOmitted:
			return t.warnOnce(lifecycle.WarnImages, about, t.name+" refuses images; it is asked without")
		case imageRefused:
			return t.warnOnce(lifecycle.WarnImages, about, t.name+" refuses some of the images; it is asked without them")
		}
	}
	return nil
}
