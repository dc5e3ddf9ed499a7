package mask

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMaskInUseHidesWhatIsLearnedLater(t *testing.T) {
	learned := new(Learned)
	hide := New([]string{"given-0123456789"}).With(learned)
	const text = "given-0123456789 and renewed-token-1 here"
	require.Equal(t, "[masked] and renewed-token-1 here", hide.Text(text))
	learned.Add("renewed-token-1", "", "renewed-token-1")
	require.Equal(t, "[masked] and [masked] here", hide.Text(text))
	require.Equal(t, []string{"renewed-token-1"}, learned.Secrets())
	var s Stream
	require.NotContains(t, s.Next(hide, "it is renewed-tok")+s.Next(hide, "en-1."), "renewed-tok")
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { learned.Add("another-secret-2"); _ = hide.Text(text) })
	}
	all.Wait()
	require.Nil(t, (*Learned)(nil).Secrets())
	require.Equal(t, "x", Mask{}.Text("x"))
}
