package engine

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A changed limit is told with the limit that is in force from then on.
func TestLimitChangesAreTold(t *testing.T) {
	var got []Event
	v, err := NewEvents(EventsConfig{Handle: func(ev Event) {
		require.Equal(t, "k", string(ev.Key))
		ev.Key = nil
		got = append(got, ev)
	}})
	require.NoError(t, err)
	l := PerSecond(7)
	var none *emitter
	none.limited(LimitEvent, "k", time.Second, l)
	newEmitter(Config{Events: v, Name: "e"}).limited(LimitEvent, "k", time.Second, l)
	v.Close()
	require.Len(t, got, 1)
	got[0].Hash = 0
	require.Equal(t, []Event{{Kind: LimitEvent, Engine: "e", At: time.Second, Limit: &l}}, got)
	require.Equal(t, "limit", LimitEvent.String())
	require.Equal(t, "unknown kind", EventKind(9).String())
}
