package corpus

import "context"

// A DiskPart is what some of a corpus takes on disk.
type DiskPart struct {
	Name  string
	Bytes int64
}

// Disk says what the corpus takes on disk by what it is for: in the index files
// passages (what surfaces show), words (by which those are packed), meta,
// messages, postings, dictionaries, facets, codes (lengths of texts), rows, tables
// (of ids and blocks) and checksums; then ledger, transcripts (their table) and
// manifest.
func (c *Corpus) Disk(ctx context.Context) ([]DiskPart, error) {
	return reading(c, func(s snapshot) ([]DiskPart, error) { return c.disk(ctx, s) })
}

func (c *Corpus) disk(ctx context.Context, s snapshot) ([]DiskPart, error) {
	var all []DiskPart
	add := func(name string, n int64) {
		for i := range all {
			if all[i].Name == name {
				all[i].Bytes += n
				return
			}
		}
		all = append(all, DiskPart{name, n})
	}
	for _, v := range s.Views {
		info := v.Info()
		rest := info.Size
		for _, p := range info.Parts {
			add(p.Part, p.Size)
			rest -= p.Size
		}
		add("checksums", rest)
	}
	n := c.sizes(s.Manifest)
	add("ledger", n.Ledger)
	add("transcripts", n.Transcripts)
	add("manifest", n.Manifest)
	return all, ctx.Err()
}
