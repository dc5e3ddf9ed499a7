package instructions

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

const secret = "the user's secret"

// TestNothingOutsideTheCheckoutIsRead lays each hostile thing in the place of a file of
// instructions, of an include, and of a nested file: the model gets nothing of it, and a person one
// line.
func TestNothingOutsideTheCheckoutIsRead(t *testing.T) {
	things := map[string]struct {
		make func(c *checkout, path, outside string) error
		says string
	}{
		"a link that leads out":    {func(_ *checkout, path, outside string) error { return os.Symlink(outside, path) }, "leads outside the checkout through a symbolic link"},
		"a link that climbs out":   {func(c *checkout, path, outside string) error { return os.Symlink(c.climbing(path, outside), path) }, "leads outside the checkout through a symbolic link"},
		"a link over a link":       {func(c *checkout, path, outside string) error { return c.overALink(path, outside) }, "leads outside the checkout through a symbolic link"},
		"a link in a circle":       {func(_ *checkout, path, _ string) error { return os.Symlink(filepath.Base(path), path) }, "too many links"},
		"a link to a pipe outside": {func(c *checkout, path, _ string) error { return os.Symlink(c.pipe(), path) }, "leads outside the checkout through a symbolic link"},
		"a pipe":                   {func(_ *checkout, path, _ string) error { return syscall.Mkfifo(path, 0o600) }, "it is a pipe, not a regular file"},
		"a link to git's own file": {func(c *checkout, path, _ string) error {
			return os.Symlink(filepath.Join(c.top, ".git", "config"), path)
		}, "it is one of git's own files"},
		"a binary file": {func(_ *checkout, path, _ string) error {
			return os.WriteFile(path, []byte("\x7fELF\x00"+secret), 0o600)
		}, "it is not a text in UTF-8"},
		"a file that nobody may read":    {func(_ *checkout, path, _ string) error { return os.WriteFile(path, []byte(secret), 0) }, "permission denied"},
		"a device, by a link to /dev":    {func(_ *checkout, path, _ string) error { return os.Symlink("/dev/zero", path) }, "leads outside the checkout through a symbolic link"},
		"a link to a folder that is out": {func(_ *checkout, path, outside string) error { return os.Symlink(filepath.Dir(outside), path) }, "leads outside the checkout through a symbolic link"},
	}
	for name, thing := range things {
		for _, where := range []string{"AGENTS.md", "app/web/AGENTS.md", "app/web/docs/included.md", "app/web/src/AGENTS.md"} {
			t.Run(name+"/"+where, func(t *testing.T) {
				if name == "a file that nobody may read" && os.Geteuid() == 0 {
					t.Skip("root may read everything")
				}
				c := newCheckout(t)
				outside := filepath.Join(c.place.Home, "secrets", "key")
				c.lay(outside, secret)
				c.lay(".git/config", secret)
				if strings.Contains(where, "docs") {
					c.lay("app/web/AGENTS.md", "@docs/included.md")
				}
				path := filepath.Join(c.top, filepath.FromSlash(where))
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
				require.NoError(t, thing.make(c, path, outside))
				given := c.place.Read()
				given = append(given, c.place.Below("src/x.ts", given)...)
				require.NotContains(t, fmt.Sprint(given), secret)
				require.Len(t, notes(given), 1)
				require.Contains(t, notes(given)[0], thing.says)
			})
		}
	}
}

// climbing is a path from where a link stands to what is outside.
func (c *checkout) climbing(path, outside string) string {
	rel, err := filepath.Rel(filepath.Dir(path), outside)
	require.NoError(c.t, err)
	return rel
}

// overALink makes a link to a link of the checkout that leads out.
func (c *checkout) overALink(path, outside string) error {
	if err := os.Symlink(filepath.Dir(outside), filepath.Join(c.top, "away")); err != nil {
		return err
	}
	return os.Symlink(filepath.Join(c.top, "away", "key"), path)
}

func (c *checkout) pipe() string {
	path := filepath.Join(c.place.Home, "pipe")
	require.NoError(c.t, syscall.Mkfifo(path, 0o600))
	return path
}

func TestAnIncludeNeverLeavesTheCheckout(t *testing.T) {
	for target, says := range map[string]string{
		"../../../home/key.md":     "it is outside the checkout",
		"docs/../../../../x.md":    "it is outside the checkout",
		"OUTSIDE":                  "it is outside the checkout",
		"/etc/passwd":              "it is outside the checkout",
		"~/key.md":                 "only your own instructions may include files of your home folder",
		"../../.git/config":        "it is one of git's own files",
		"../../.GIT/config.md":     "and not there",
		"away/key.md":              "it leads outside the checkout through a symbolic link",
		"missing.md":               "included by AGENTS.md, and not there",
		"./docs/missing.md#anchor": "included by AGENTS.md, and not there",
	} {
		t.Run(target, func(t *testing.T) {
			c := newCheckout(t)
			key := filepath.Join(c.place.Home, "key.md")
			c.lay(key, secret)
			c.lay(".git/config", secret)
			c.lay("app/web/AGENTS.md", "@"+strings.Replace(target, "OUTSIDE", key, 1))
			require.NoError(t, os.Symlink(c.place.Home, filepath.Join(c.place.Folder, "away")))
			given := c.place.Read()
			require.NotContains(t, fmt.Sprint(given), secret)
			require.Len(t, told(given), 1)
			require.Len(t, notes(given), 1)
			require.Contains(t, notes(given)[0], says)
		})
	}
	c := newCheckout(t)
	c.lay(filepath.Join(c.place.Config, "AGENTS.md"), "@/etc/hostname @../home/mine.md")
	c.lay(filepath.Join(c.place.Home, "mine.md"), "mine")
	given := c.place.Read()
	require.Len(t, told(given), 2)
	require.Equal(t, []string{"@/etc/hostname: not included by " + filepath.Join(c.place.Config, "AGENTS.md") + ": it is neither in your home folder nor in Pawl's config folder"}, notes(given))
}

func TestALinkInsideTheCheckoutIsFollowedAndGivenOnce(t *testing.T) {
	c := newCheckout(t)
	c.lay("CLAUDE.md", "root")
	require.NoError(t, os.Symlink("CLAUDE.md", filepath.Join(c.top, "AGENTS.md")))
	require.NoError(t, os.Symlink(filepath.Join(c.top, "CLAUDE.md"), filepath.Join(c.place.Folder, "AGENTS.md")))
	given := c.place.Read()
	require.Equal(t, []string{"../../AGENTS.md: root"}, told(given))
	require.Empty(t, notes(given))
	c.lay("app/web/src/CLAUDE.md", "@../../../CLAUDE.md")
	require.Equal(t, []string{"src/CLAUDE.md: @../../../CLAUDE.md"}, told(c.place.Below("src/x", given)))
}

func TestIncludesGoFiveFilesDeep(t *testing.T) {
	c := newCheckout(t)
	c.lay("app/web/AGENTS.md", "@1.md")
	for i := range 7 {
		c.lay(fmt.Sprintf("app/web/%d.md", i+1), fmt.Sprintf("@%d.md", i+2))
	}
	given := c.place.Read()
	require.Len(t, told(given), 1+maxDepth)
	require.Equal(t, []string{"6.md: not included by 5.md: includes go 5 files deep"}, notes(given))
}

func TestWhatIsTooLongIsCutAndSaysSo(t *testing.T) {
	c := newCheckout(t)
	c.lay("app/web/AGENTS.md", strings.Repeat("ß", 5<<20))
	given := c.place.Read()
	require.Equal(t, []string{"AGENTS.md: it has 10.0 MB: only its first 40.0 KB are given"}, notes(given))
	text := given[0].Text
	require.Less(t, len(text), maxFile+200)
	require.Contains(t, text, "the read tool shows the rest")
	require.True(t, utf8.ValidString(text))
	require.NotContains(t, text, "�")

	c.lay(filepath.Join(c.place.Config, "AGENTS.md"), strings.Repeat("own ", 5<<10))
	c.lay("AGENTS.md", strings.Repeat("root ", 8<<10))
	c.lay("app/AGENTS.md", strings.Repeat("app ", 4<<10))
	given = c.place.Read()
	total := 0
	for _, one := range given {
		total += len(one.Text)
	}
	require.LessOrEqual(t, total, maxAll+1000)
	require.Len(t, notes(given), 2)
	require.Contains(t, notes(given)[0], "../../AGENTS.md: only its first")
	require.NotEmpty(t, given[0].Text, "the user's own goes first")
	require.Greater(t, len(given[2].Text), 16<<10-1, "and what is nearest next")
}

func TestTooManyFilesAreCutOffWithALine(t *testing.T) {
	c := newCheckout(t)
	var includes strings.Builder
	for i := range 2 * maxFiles {
		name := fmt.Sprintf("part%d.md", i)
		fmt.Fprintf(&includes, "@%s\n@missing%d.md\n", name, i)
		c.lay("app/web/"+name, "part")
	}
	c.lay("app/web/AGENTS.md", includes.String())
	c.lay("AGENTS.md", includes.String())
	given := c.place.Read()
	require.LessOrEqual(t, len(given), maxFiles+1)
}

func TestNothingHiddenReachesTheModel(t *testing.T) {
	c := newCheckout(t)
	c.lay("app/web/AGENTS.md", "\ufeffsay\x1b[31m hi\u202e evil\u2066\U000e0041\a\n<!-- hidden from who reads it -->\n\tkeep 👨\u200d👩\r\nend <!-- inside a line --> x\n<!-- never ends")
	given := c.place.Read()
	require.Equal(t, []string{"AGENTS.md: say[31m hi evil\n\tkeep 👨\u200d👩\nend <!-- inside a line --> x\n<!-- never ends"}, told(given))
	require.Equal(t, []string{"AGENTS.md: left out of it: 5 control or invisible characters"}, notes(given))
}
