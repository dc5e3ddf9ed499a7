package update

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/semver"
)

// The files of a release beside its archives, which hold what is made by .goreleaser.yaml.
const (
	checksums = "checksums.txt"
	signature = checksums + ".minisig"
)

const (
	largestList    = 1 << 20
	largestArchive = 64 << 20
)

// Offer is the newest release for a system.
type Offer struct {
	Version string // 1.2.3
	archive string
	hash    string // SHA-256, in hexadecimal digits
}

// Newest returns what the source offers for a system (linux/amd64), once the signature of its list
// is found to be the key's.
func (s *Source) Newest(ctx context.Context, key Key, platform string) (Offer, error) {
	list, err := s.fetch(ctx, checksums, largestList)
	if err != nil {
		return Offer{}, err
	}
	signed, err := s.fetch(ctx, signature, largestList)
	if err != nil {
		return Offer{}, err
	}
	if !key.signed(list, signed) {
		return Offer{}, fmt.Errorf("the release at %s is not signed with the key of this program (%s)", s.address, key.ID())
	}
	return offered(string(list), platform)
}

// offered finds the archive of a system in a list, as sha256sum writes it.
func offered(list, platform string) (found Offer, err error) {
	end := "_" + strings.ReplaceAll(platform, "/", "_") + ".tar.gz"
	for line := range strings.Lines(list) {
		hash, name, _ := strings.Cut(strings.TrimSpace(line), " ")
		name = strings.TrimLeft(name, " *")
		rest, ours := strings.CutPrefix(name, "pawl_")
		version, here := strings.CutSuffix(rest, end)
		if !ours || !here || !IsVersion(version) {
			continue
		}
		if found.Version != "" {
			return Offer{}, errors.New("the release has two archives for " + platform)
		}
		found = Offer{Version: version, archive: name, hash: hash}
	}
	if found.Version == "" {
		return Offer{}, errors.New("the release has no archive for " + platform)
	}
	return found, nil
}

// IsVersion reports whether a text is a version that others can be compared with.
func IsVersion(text string) bool { return semver.IsValid("v" + text) }

// Newer compares the offer with a version: 1 if the offer is newer, 0 if it is the same, -1 if it is
// older.
func (o Offer) Newer(than string) int { return semver.Compare("v"+o.Version, "v"+than) }

// program fetches the archive and returns the program in it.
func (s *Source) program(ctx context.Context, o Offer) ([]byte, error) {
	archive, err := s.fetch(ctx, o.archive, largestArchive)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(archive); hex.EncodeToString(sum[:]) != o.hash {
		return nil, fmt.Errorf("%s is not what the release's signed list says: its hash is another", o.archive)
	}
	return unpack(archive, o.archive)
}
