package search

import (
	"runtime"
	"testing"
	"time"
)

// TestBeside: after the end the work is done in whole, however long it took, or never
// will be.
func TestBeside(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	done := 0
	for n := range 300 {
		var b beside
		var steps [2]int
		b.start(func() {
			steps[0]++
			time.Sleep(time.Duration(n%3) * 200 * time.Microsecond)
			steps[1]++
		})
		if n%2 == 0 {
			time.Sleep(100 * time.Microsecond)
		}
		b.end()
		if steps[0] != steps[1] || steps[0] > 1 {
			t.Fatalf("begun %d times, ended %d times", steps[0], steps[1])
		}
		done += steps[1]
		before := steps
		if b.done.Wait(); steps != before {
			t.Fatal("something was done after the end")
		}
	}
	if done == 0 {
		t.Error("nothing was ever done beside")
	}
}
