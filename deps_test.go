package hansard

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/hansard-search/hansard/"

// line is the order of the packages: data runs down, imports run up. Each
// package says which others of ours it may import outside of its tests. A new
// package gets a line here, in the place where it belongs.
var line = []struct{ pkg, imports string }{
	{"sources/internal/jsonl", ""},
	{"sources", "sources/internal/jsonl"},
	{"sources/sourcetest", "sources"},
	{"segment", "sources"},
	{"surfaces", ""},
	{"strategies", "segment surfaces"},
	{"strategies/strategytest", "segment sources strategies surfaces"},
	{"samples", ""},

	{"corpus/internal/files", ""},
	{"corpus/internal/mapped", ""},
	{"corpus/internal/lock", ""},
	{"corpus/internal/ownjson", ""},
	{"corpus/internal/signal", "segment surfaces"},
	{"corpus/internal/redact", ""},
	{"corpus/internal/prefetch", ""},
	{"corpus/internal/terms", "corpus/internal/prefetch"},
	{"corpus/internal/rank", ""},
	{"corpus/internal/postings", ""},
	{"corpus/internal/manifest", "corpus/internal/files corpus/internal/ownjson corpus/internal/signal surfaces"},
	{"corpus/internal/transcripts", "corpus/internal/files corpus/internal/mapped corpus/internal/signal sources"},
	{"corpus/internal/ledger", "corpus/internal/files corpus/internal/lock corpus/internal/signal"},
	{"corpus/internal/shard", "corpus/internal/files corpus/internal/mapped corpus/internal/postings corpus/internal/prefetch corpus/internal/signal surfaces"},
	{"corpus/internal/stored", "corpus/internal/ownjson corpus/internal/shard segment sources surfaces"},
	{"corpus/internal/published", "corpus/internal/manifest corpus/internal/postings corpus/internal/shard corpus/internal/signal corpus/internal/stored segment"},
	{"corpus/internal/snippet", "corpus/internal/terms"},
	{"corpus/internal/query", "corpus/internal/postings corpus/internal/published corpus/internal/rank corpus/internal/shard corpus/internal/terms surfaces"},
	{"corpus/internal/search", "corpus/internal/manifest corpus/internal/postings corpus/internal/prefetch corpus/internal/published corpus/internal/query corpus/internal/rank corpus/internal/shard corpus/internal/signal corpus/internal/stored corpus/internal/terms surfaces"},
	{"corpus", "corpus/internal/* segment sources strategies surfaces"},

	{"presets", "corpus sources strategies surfaces"},
	{"mcp", "corpus surfaces"},
	{"watch", "sources"},
	{"plugins", ""},
	{"install", "plugins"},
	{"cmd/hansard", "corpus install mcp presets samples strategies surfaces watch"},
}

// doors says which package alone imports a module that is not ours. What is
// exchanged or patched one day is exchanged in one place.
var doors = map[string]string{
	"github.com/dgraph-io/badger/v4":         "corpus/internal/ledger",
	"github.com/RoaringBitmap/roaring/v2":    "corpus/internal/postings",
	"github.com/blevesearch/vellum":          "corpus/internal/shard",
	"github.com/klauspost/compress":          "corpus/internal/shard",
	"github.com/zeebo/xxh3":                  "corpus/internal/signal",
	"github.com/blevesearch/snowballstem":    "corpus/internal/terms",
	"golang.org/x/text":                      "corpus/internal/terms",
	"github.com/gofrs/flock":                 "corpus/internal/lock",
	"github.com/go-json-experiment/json":     "sources/internal/jsonl",
	"github.com/tailscale/hujson":            "presets install", // one reads meanings, the other writes at places, and neither may know the other
	"github.com/urfave/cli/v2":               "cmd/hansard",
	"github.com/clipperhouse/displaywidth":   "cmd/hansard",
	"golang.org/x/sys":                       "corpus/internal/mapped corpus/internal/rank corpus/internal/redact corpus/internal/terms sources sources/internal/jsonl", // files; what the processor can do
	"golang.org/x/term":                      "cmd/hansard",
	"github.com/modelcontextprotocol/go-sdk": "mcp",
	"github.com/fsnotify/fsnotify":           "watch",
}

// forTests may be imported by any test, and by packages that are suites of tests.
var forTests = []string{"github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "golang.org/x/tools/txtar", "pgregory.net/rapid"}

// forbidden is what only cmd may do: a library neither ends the process nor
// looks at the world behind its caller's back.
var forbidden = []string{"os.Exit", "os.Getenv", "os.LookupEnv", "os.Environ", "time.Now()", "log.Fatal", "log.Fatalf", "log.Fatalln",
	"log.Panic", "log.Panicf", "log.Panicln", "panic()", "func init"}

// allowed are the places that need what is forbidden, each with its reason.
var allowed = map[string]string{
	"corpus/internal/published/damaged.go: panic()": "passes on a panic that is no fault in mapped memory",
	"corpus/internal/shard/merge_aside.go: panic()": "passes on a panic of another goroutine of the same call",
}

// A goFile is what this test knows of one.
type goFile struct {
	path    string
	pkg     string // folder within the module
	test    bool
	imports []string
	uses    map[string]token.Position // of forbidden things
}

func TestImportsRunOneWay(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.pkg == "." {
			continue
		}
		i := slices.IndexFunc(line, func(l struct{ pkg, imports string }) bool { return l.pkg == f.pkg })
		if i < 0 {
			t.Errorf("%s: package %s has no line in deps_test.go", f.path, f.pkg)
			continue
		}
		seen[f.pkg] = true
		for _, imp := range f.imports {
			if ours, ok := strings.CutPrefix(imp, module); ok {
				checkOurs(t, f, ours, line[i].imports)
			} else if strings.Contains(strings.Split(imp, "/")[0], ".") {
				checkDoor(t, f, imp)
			}
		}
	}
	for _, l := range line {
		if !seen[l.pkg] {
			t.Errorf("deps_test.go has a line for %s, which is not there", l.pkg)
		}
	}
}

// checkOurs: tests may import what they like of ours.
func checkOurs(t *testing.T, f goFile, ours, allowed string) {
	if f.test {
		return
	}
	for _, a := range strings.Fields(allowed) {
		if ok, _ := path.Match(a, ours); ok {
			return
		}
	}
	t.Errorf("%s: %s must not import %s", f.path, f.pkg, ours)
}

func checkDoor(t *testing.T, f goFile, imp string) {
	suite := f.test || strings.HasSuffix(f.pkg, "test")
	under := func(m string) bool { return imp == m || strings.HasPrefix(imp, m+"/") }
	if suite && slices.ContainsFunc(forTests, under) {
		return
	}
	for m, door := range doors {
		if under(m) {
			if !slices.Contains(strings.Fields(door), f.pkg) {
				t.Errorf("%s: only %s may import %s", f.path, door, m)
			}
			return
		}
	}
	t.Errorf("%s: %s has no door in deps_test.go", f.path, imp)
}

func TestLibrariesDoNotExit(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test || f.pkg == "cmd/hansard" || strings.HasSuffix(f.pkg, "test") {
			continue
		}
		for use, at := range f.uses {
			if allowed[f.path+": "+use] != "" {
				continue
			}
			t.Errorf("%s: %s does not belong into a library", at, use)
		}
	}
}

func TestPackagesSayWhatTheyAre(t *testing.T) {
	documented := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test || f.pkg == "." {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), f.path, nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		documented[f.pkg] = documented[f.pkg] || file.Doc != nil
	}
	for pkg, ok := range documented {
		if !ok {
			t.Errorf("package %s has no comment", pkg)
		}
	}
}

// goFiles parses every Go file of this module.
func goFiles(t *testing.T) []goFile {
	t.Helper()
	var list []goFile
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, noModule := os.Stat(filepath.Join(p, "go.mod"))
			if p != "." && (noModule == nil || d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".")) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		file, err := parser.ParseFile(fset, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		list = append(list, look(fset, filepath.ToSlash(p), file))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 10 {
		t.Fatalf("only %d Go files: is this the root of the module?", len(list))
	}
	return list
}

func look(fset *token.FileSet, p string, file *ast.File) goFile {
	f := goFile{path: p, pkg: path.Dir(p), test: strings.HasSuffix(p, "_test.go"), uses: map[string]token.Position{}}
	for _, i := range file.Imports {
		if s, err := strconv.Unquote(i.Path.Value); err == nil {
			f.imports = append(f.imports, s)
		}
	}
	note := func(what string, n ast.Node) {
		if slices.Contains(forbidden, what) {
			f.uses[what] = fset.Position(n.Pos())
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil {
				note("func "+n.Name.Name, n)
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok {
				note(x.Name+"."+n.Sel.Name, n)
			}
		case *ast.CallExpr:
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				note(fun.Name+"()", n)
			case *ast.SelectorExpr:
				if x, ok := fun.X.(*ast.Ident); ok {
					note(x.Name+"."+fun.Sel.Name+"()", n)
				}
			}
		}
		return true
	})
	return f
}

// TestFilesAreListed: where a package says which files it has, it says all of them, and
// no others.
func TestFilesAreListed(t *testing.T) {
	system := regexp.MustCompile("_(amd64|unix|other)$")
	for _, list := range []string{"corpus/corpus.go", "corpus/internal/search/search.go", "corpus/internal/shard/shard.go", "corpus/internal/terms/terms.go"} {
		source, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		listed := []string{strings.TrimSuffix(path.Base(list), ".go")}
		_, rest, _ := strings.Cut(string(source), "For who reads the code")
		for line := range strings.Lines(rest) {
			if names, ok := strings.CutPrefix(line, "//\t"); ok {
				names, _, _ = strings.Cut(names, "  ")
				listed = append(listed, strings.Fields(names)...)
			}
		}
		files, err := filepath.Glob(filepath.Join(path.Dir(list), "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		var there []string
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".go")
			if strings.HasSuffix(name, "_test") {
				continue
			}
			name = system.ReplaceAllString(name, "")
			if there = append(there, name); !slices.Contains(listed, name) {
				t.Errorf("%s: its list lacks %s", list, name)
			}
		}
		for _, name := range listed {
			if !slices.Contains(there, name) {
				t.Errorf("%s: there is no %s", list, name)
			}
		}
	}
}
