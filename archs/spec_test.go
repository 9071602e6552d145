package archs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// Every field of a Spec is documented, in spec.go and in one place there.
func TestSpecFieldsAreDocumented(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "spec.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		record, ok := spec.Type.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range record.Fields.List {
			fields++
			if len(f.Names) != 1 || (f.Doc == nil) == (f.Comment == nil) {
				t.Errorf("%s.%v needs one comment of its own", spec.Name, f.Names)
			}
		}
		return true
	})
	if fields < 30 {
		t.Errorf("found %d fields only", fields)
	}
}
