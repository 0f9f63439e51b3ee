package presets_test

import (
	"fmt"
	"log"
	"path/filepath"
	"time"

	"github.com/hansard-search/hansard/presets"
)

// A preset becomes the configuration of a corpus. A source of another kind is
// added to its Sources.
func ExampleEnv_Corpus() {
	env := presets.Env{Home: "/home/ines", Getenv: func(string) string { return "" }, Now: time.Now} // os.Getenv in a program
	file, err := env.Parse("config.jsonc", []byte(`{"presets": {"work": {"sources": ["claude"], "include": ["tools"]}}}`))
	if err != nil {
		log.Fatal(err)
	}
	preset, err := file.Lookup("work")
	if err != nil {
		log.Fatal(err)
	}
	data, err := env.DataDir()
	if err != nil {
		log.Fatal(err)
	}
	params := preset.Params(env) // hand them to corpus.SyncOptions too: they are kept with the index
	config, err := env.Corpus(data, preset.Name, params)
	if err != nil {
		log.Fatal(err)
	}
	dir, err := filepath.Rel(data, config.Dir)
	fmt.Println(dir, config.Sources[0].Name(), config.Strategy.Name(), err)
	// Output: work claude claude-turn/1+tools <nil>
}
