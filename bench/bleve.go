package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
)

// bleve with its English analyzer. It keeps the texts, as the others do; what a
// search for words does not use (positions, values by column) is left out.

func bleveMapping() mapping.IndexMapping {
	text := bleve.NewTextFieldMapping()
	text.Analyzer, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = "en", false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("Prompt", text)
	doc.AddFieldMappingsAt("Answer", text)
	m := bleve.NewIndexMapping()
	m.DefaultMapping = doc
	return m
}

func bleveOpen(d *dataset) (bleve.Index, error) {
	ix, err := bleve.Open(d.index("bleve"))
	if errors.Is(err, bleve.ErrorIndexPathDoesNotExist) {
		ix, err = bleve.New(d.index("bleve"), bleveMapping())
	}
	if err != nil {
		return nil, fmt.Errorf("opening bleve's index: %w", err)
	}
	return ix, nil
}

// bleveLoad indexes the ready-cut turns.
func bleveLoad(j *job, r *result) error {
	ix, err := bleveOpen(j.dataset)
	if err != nil {
		return err
	}
	b := ix.NewBatch()
	err = j.load(r, func(p pair) error {
		if err := b.Index(p.ID, p); err != nil || b.Size() < batch {
			return err
		}
		defer b.Reset()
		return ix.Batch(b)
	})
	if err == nil {
		err = ix.Batch(b)
	}
	return errors.Join(err, ix.Close())
}

// bleveQuery asks for the ten best turns with any of the words, and reads the prompts.
func bleveQuery(j *job, r *result) error {
	ix, err := bleveOpen(j.dataset)
	if err != nil {
		return err
	}
	defer ix.Close()
	return j.ask(r, slowQueries, func(q []string) (int, error) {
		words := strings.Join(q, " ")
		prompt, answer := bleve.NewMatchQuery(words), bleve.NewMatchQuery(words)
		prompt.SetField("Prompt")
		answer.SetField("Answer")
		req := bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(prompt, answer), 10, 0, false)
		req.Fields = []string{"Prompt"}
		res, err := ix.Search(req)
		if err != nil {
			return 0, err
		}
		return len(res.Hits), nil
	})
}

// bleveAdd adds turns one at a time.
func bleveAdd(j *job, r *result) error {
	ix, err := bleveOpen(j.dataset)
	if err != nil {
		return err
	}
	return errors.Join(addEach(r, slowAdds, func(_ int, p pair) error { return ix.Index(p.ID, p) }), ix.Close())
}
