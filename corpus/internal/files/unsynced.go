package files

// Unsynced is OS for tests that spare the disk: nothing is made durable. What a power
// loss would take, Faulty counts itself.
type Unsynced struct{ OS }

type unsyncedFile struct{ File }

func (unsyncedFile) Sync() error { return nil }

// SyncDir implements FS.
func (Unsynced) SyncDir(string) error { return nil }

// Create implements FS.
func (Unsynced) Create(path string) (File, error) {
	f, err := OS{}.Create(path)
	return unsyncedFile{f}, err
}

// Append implements FS.
func (Unsynced) Append(path string, length int64) (File, error) {
	f, err := OS{}.Append(path, length)
	return unsyncedFile{f}, err
}
