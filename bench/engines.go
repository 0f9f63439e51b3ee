package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
	_ "modernc.org/sqlite"
)

// batch is how many turns an engine is given at once.
const batch = 5000

// ftsLoad indexes the ready-cut turns with SQLite's FTS5.
func ftsLoad(d *dataset, _ *result) error {
	db, err := ftsOpen(d)
	if err != nil {
		return err
	}
	defer db.Close()
	for _, s := range []string{"PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL",
		"CREATE VIRTUAL TABLE turns USING fts5(id UNINDEXED, prompt, answer, tokenize='porter unicode61')"} {
		if _, err := db.Exec(s); err != nil {
			return err
		}
	}
	var tx *sql.Tx
	n := 0
	err = eachPair(d, func(p pair) error {
		if tx == nil {
			if tx, err = db.Begin(); err != nil {
				return err
			}
		}
		if _, err := tx.Exec("INSERT INTO turns VALUES (?, ?, ?)", p.ID, p.Prompt, p.Answer); err != nil {
			return err
		}
		if n++; n%batch == 0 {
			err := tx.Commit()
			tx = nil
			return err
		}
		return nil
	})
	if err == nil && tx != nil {
		err = tx.Commit()
	}
	return err
}

func ftsOpen(d *dataset) (*sql.DB, error) {
	if err := os.MkdirAll(d.index("fts5"), 0o700); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", filepath.Join(d.index("fts5"), "turns.db"))
	if err == nil {
		db.SetMaxOpenConns(1)
	}
	return db, err
}

// ftsQuery asks for the ten best turns with any of the words.
func ftsQuery(d *dataset, r *result) error {
	db, err := ftsOpen(d)
	if err != nil {
		return err
	}
	defer db.Close()
	return ask(d, r, slowQueries, func(q []string) (n int, err error) {
		rows, err := db.Query("SELECT id, prompt FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT 10", strings.Join(q, " OR "))
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		for rows.Next() {
			var id, prompt string
			if err := rows.Scan(&id, &prompt); err != nil {
				return n, err
			}
			n++
		}
		return n, rows.Err()
	})
}

// slowQueries bounds how often an engine is asked that takes a second an answer.
const slowQueries = 20

func bleveMapping() mapping.IndexMapping {
	text := bleve.NewTextFieldMapping()
	text.Analyzer, text.IncludeTermVectors, text.IncludeInAll = "en", false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("Prompt", text)
	doc.AddFieldMappingsAt("Answer", text)
	m := bleve.NewIndexMapping()
	m.DefaultMapping = doc
	return m
}

// bleveLoad indexes the ready-cut turns with bleve.
func bleveLoad(d *dataset, _ *result) error {
	ix, err := bleve.New(d.index("bleve"), bleveMapping())
	if err != nil {
		return fmt.Errorf("making the index: %w", err)
	}
	defer ix.Close()
	b := ix.NewBatch()
	err = eachPair(d, func(p pair) error {
		if err := b.Index(p.ID, p); err != nil {
			return err
		}
		if b.Size() < batch {
			return nil
		}
		defer b.Reset()
		return ix.Batch(b)
	})
	if err == nil {
		err = ix.Batch(b)
	}
	return err
}

// bleveQuery asks for the ten best turns with any of the words, and reads the prompts.
func bleveQuery(d *dataset, r *result) error {
	ix, err := bleve.Open(d.index("bleve"))
	if err != nil {
		return err
	}
	defer ix.Close()
	return ask(d, r, slowQueries, func(q []string) (int, error) {
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
