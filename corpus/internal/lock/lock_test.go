package lock_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/lock"
)

var start = time.Date(2026, 10, 2, 9, 11, 4, 0, time.UTC)

// With this variable set, the test binary is a process that takes the lock,
// says so, and waits to be killed.
const holdVariable = "LOCK_TEST_HOLD"

func TestMain(m *testing.M) {
	path := os.Getenv(holdVariable)
	if path == "" {
		os.Exit(m.Run())
	}
	if _, err := lock.Try(path, "other index", start); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	time.Sleep(time.Minute)
}

func take(t *testing.T, path string) *lock.Lock {
	t.Helper()
	l, err := lock.Try(path, "index", start)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestHeldSaysByWhom(t *testing.T) {
	path := filepath.Join(t.TempDir(), lock.Name)
	l := take(t, path)
	_, err := lock.Try(path, "search", start)
	var held *lock.HeldError
	if !errors.As(err, &held) {
		t.Fatalf("got %v, want a HeldError", err)
	}
	if held.PID != os.Getpid() || held.Command != "index" || !held.Since.Equal(start) || held.Path != path {
		t.Errorf("got %+v", held)
	}
	if got, err := lock.Holder(path); err != nil || got == nil || *got != *held {
		t.Errorf("Holder: %+v, %v", got, err)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
	if got, err := lock.Holder(path); err != nil || got != nil {
		t.Errorf("Holder after Release: %+v, %v", got, err)
	}
	if err := take(t, path).Release(); err != nil {
		t.Fatal(err)
	}
}

func TestNotesReplaceEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), lock.Name)
	for _, command := range []string{"index", strings.Repeat("a long command ", 20), "x"} {
		l, err := lock.Try(path, command, start)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := lock.Holder(path); err != nil || got == nil || got.Command != command {
			t.Errorf("Holder: %+v, %v, not %q", got, err, command)
		}
		if err := l.Release(); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || strings.TrimSpace(string(b)) != "" {
			t.Errorf("after Release the file says %q, %v", b, err)
		}
	}
}

func TestHolderCreatesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), lock.Name)
	if got, err := lock.Holder(path); err != nil || got != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("stat: %v", err)
	}
}

func TestWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), lock.Name)
	l := take(t, path)
	go func() {
		time.Sleep(30 * time.Millisecond)
		l.Release()
	}()
	second, err := lock.Acquire(t.Context(), path, time.Minute, "search", start)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestContextEndsTheWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), lock.Name)
	defer take(t, path).Release()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := lock.Acquire(ctx, path, time.Minute, "search", start); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestFolderMustExist(t *testing.T) {
	_, err := lock.Try(filepath.Join(t.TempDir(), "absent", lock.Name), "index", start)
	var held *lock.HeldError
	if err == nil || errors.As(err, &held) {
		t.Errorf("got %v", err)
	}
}

// A lock on a file that was removed excludes nobody, so it does not count.
func TestRemovedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), lock.Name)
	first := take(t, path)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	second := take(t, path)
	if err := first.Release(); err != nil {
		t.Error(err)
	}
	var held *lock.HeldError
	if _, err := lock.Try(path, "third", start); !errors.As(err, &held) {
		t.Errorf("got %v, want a HeldError", err)
	}
	if err := second.Release(); err != nil {
		t.Error(err)
	}
}

func TestDiesWithItsProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), lock.Name)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), holdVariable+"="+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("child said %q, %v", line, err)
	}
	var held *lock.HeldError
	if _, err := lock.Try(path, "search", start); !errors.As(err, &held) || held.PID != cmd.Process.Pid || held.Command != "other index" {
		t.Errorf("got %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	if got, err := lock.Holder(path); err != nil || got != nil {
		t.Errorf("Holder of a dead process's lock: %+v, %v", got, err)
	}
	if err := take(t, path).Release(); err != nil {
		t.Fatal(err)
	}
}

func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), lock.Name)
	var inside, rounds atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 5 {
				l, err := lock.Acquire(t.Context(), path, time.Minute, "x", start)
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two hold the lock")
				}
				rounds.Add(1)
				inside.Add(-1)
				if err := l.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if rounds.Load() != 20 {
		t.Errorf("%d rounds", rounds.Load())
	}
}
