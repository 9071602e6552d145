package vmfb

import "fmt"

// Fields of the FlatBuffer tables (runtime/src/iree/schemas/bytecode_module_def.fbs
// of IREE 3.13).
const (
	moduleName            = 0
	moduleRequirements    = 2
	moduleTypes           = 4
	moduleDependencies    = 5
	moduleImports         = 6
	moduleExports         = 7
	moduleSignatures      = 8
	moduleRodata          = 9
	moduleState           = 11
	moduleFunctions       = 12
	moduleBytecodeVersion = 13
	moduleBytecode        = 14

	typeName = 0

	dependencyName, dependencyVersion, dependencyFlags = 0, 1, 2
	importName, importSignature, importFlags           = 0, 1, 2
	exportName, exportFunction                         = 0, 1
	signatureConvention, signatureAttributes           = 0, 1
	attributeKey, attributeValue                       = 0, 1

	rodataCompression, rodataEmbedded, rodataOffset, rodataLength = 0, 2, 3, 4
	stateBytes, stateRefs                                         = 0, 1

	functionSize = 20 // bytes of a function descriptor
)

// Requirement bits of a module; yield and unwind need nothing of a synchronous VM.
const knownRequirements = 0xf

const flagRequired = 1

func readModule(r *reader, external []byte) *Module {
	root := r.root()
	if !checkVersion(root) {
		return nil
	}
	m := &Module{
		Name:         root.str(moduleName),
		Types:        readTypes(root),
		Dependencies: readDependencies(root),
		Imports:      readImports(root),
		Rodata:       readRodata(root, external),
	}
	signatures := root.tables(moduleSignatures)
	m.Functions = readFunctions(root, signatures)
	m.Exports = readExports(root, signatures)
	state := root.table(moduleState)
	m.GlobalBytes, m.GlobalRefs = int(state.fieldU32(stateBytes, 0)), int(state.fieldU32(stateRefs, 0))
	if m.GlobalBytes > maxGlobalBytes || m.GlobalRefs > maxGlobalRefs {
		r.fail("state of %d bytes and %d references: at most %d and %d are supported", m.GlobalBytes, m.GlobalRefs, maxGlobalBytes, maxGlobalRefs)
	}
	return m
}

func checkVersion(root table) bool {
	version := root.fieldU32(moduleBytecodeVersion, 0)
	major, minor := version>>16, version&0xffff
	if root.err == nil && (major != BytecodeMajor || minor > BytecodeMinor) {
		root.err = fmt.Errorf("vmfb: bytecode version %d.%d, this runtime reads %d.%d: %w", major, minor, BytecodeMajor, BytecodeMinor, ErrVersion)
	}
	if unknown := root.fieldU32(moduleRequirements, 0) &^ knownRequirements; unknown != 0 {
		root.fail("module requires unknown runtime features %#x", unknown)
	}
	return root.err == nil
}

func readTypes(root table) []string {
	var types []string
	for _, t := range root.tables(moduleTypes) {
		types = append(types, t.str(typeName))
	}
	return types
}

func readDependencies(root table) []Dependency {
	var ds []Dependency
	for _, t := range root.tables(moduleDependencies) {
		ds = append(ds, Dependency{t.str(dependencyName), t.fieldU32(dependencyVersion, 0), t.fieldU32(dependencyFlags, flagRequired)&flagRequired == 0})
	}
	return ds
}

func readImports(root table) []Import {
	var imports []Import
	for _, t := range root.tables(moduleImports) {
		imports = append(imports, Import{t.str(importName), readSignature(t.table(importSignature)), t.fieldU32(importFlags, flagRequired)&flagRequired == 0})
	}
	return imports
}

func readSignature(t table) Signature {
	s, err := ParseSignature(t.str(signatureConvention))
	if err != nil && t.err == nil {
		t.err = err
	}
	return s
}

func readExports(root table, signatures []table) []Export {
	var exports []Export
	for _, t := range root.tables(moduleExports) {
		e := Export{Name: t.str(exportName), Function: int(t.fieldU32(exportFunction, 0))}
		if e.Function >= len(signatures) {
			t.fail("export %q is function %d of %d", e.Name, e.Function, len(signatures))
			return nil
		}
		e.Declaration = attribute(signatures[e.Function], "iree.abi.declaration")
		exports = append(exports, e)
	}
	return exports
}

func attribute(signature table, key string) string {
	for _, a := range signature.tables(signatureAttributes) {
		if a.str(attributeKey) == key {
			return a.str(attributeValue)
		}
	}
	return ""
}

func readRodata(root table, external []byte) [][]byte {
	var rodata [][]byte
	for i, t := range root.tables(moduleRodata) {
		if t.field(rodataCompression) != 0 {
			t.fail("constant data %d is compressed, which isn't supported", i)
		}
		offset, length := t.fieldU64(rodataOffset), t.fieldU64(rodataLength)
		switch {
		case length == 0:
			rodata = append(rodata, t.blob(rodataEmbedded))
		case offset > uint64(len(external)) || length > uint64(len(external))-offset:
			t.fail("constant data %d: %d bytes at %d run over the end of the file", i, length, offset)
		default:
			rodata = append(rodata, external[offset:offset+length:offset+length])
		}
	}
	return rodata
}

func readFunctions(root table, signatures []table) []Function {
	code := root.blob(moduleBytecode)
	at, n := root.vector(moduleFunctions, functionSize)
	if n != len(signatures) {
		root.fail("%d functions with %d signatures", n, len(signatures))
	}
	if root.err != nil {
		return nil
	}
	functions := make([]Function, n)
	for i := range functions {
		functions[i] = readFunction(root.reader, at+i*functionSize, code)
		functions[i].Type = readSignature(signatures[i])
	}
	return functions
}

func readFunction(r *reader, at int, code []byte) Function {
	offset, length := uint64(r.u32(at)), uint64(r.u32(at+4))
	f := Function{Cells: int(r.u16(at + 16)), References: int(r.u16(at + 18))}
	if offset > uint64(len(code)) || length > uint64(len(code))-offset {
		r.fail("function of %d bytes at %d runs over the end of the bytecode", length, offset)
		return f
	}
	if f.Cells > maxRegisters || f.References > maxReferences {
		r.fail("function with %d and %d registers: at most %d and %d are supported", f.Cells, f.References, maxRegisters, maxReferences)
	}
	f.Code = code[offset : offset+length : offset+length]
	return f
}
