package clipboard

import (
	"bytes"
	"encoding/hex"
	"errors"
)

// scripted is a picture as osascript writes it: «data PNGf89504E47…».
func scripted(said []byte) (Content, error) {
	_, digits, _ := bytes.Cut(bytes.TrimSpace(said), []byte("PNGf"))
	digits, found := bytes.CutSuffix(digits, []byte("»"))
	if !found {
		return Content{}, errors.New("what it gave is no picture")
	}
	data := make([]byte, hex.DecodedLen(len(digits)))
	if _, err := hex.Decode(data, digits); err != nil {
		return Content{}, errors.New("what it gave is no picture")
	}
	return picture(data)
}
