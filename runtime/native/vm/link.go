package vm

import "fmt"

// importBit of a function number marks an import.
const importBit = 1 << 31

// linkCall finds the callee of a call and gives its operands their kinds.
func linkCall(d *decoder, in *instruction) error {
	site := &callSite{resume: -1}
	in.more.call = site
	lists := in.more.lists
	var spans []uint16
	if len(lists) == 3 {
		spans, lists = lists[0], lists[1:]
	}
	var arguments, results string
	if in.imm&importBit != 0 {
		index := in.imm &^ importBit
		if index >= uint64(len(d.imports)) {
			return fmt.Errorf("import %d of %d", index, len(d.imports))
		}
		site.imported = &d.imports[index]
		var err error
		if arguments, site.spans, err = expandSpans(site.imported.signature.Arguments, spans); err != nil {
			return fmt.Errorf("%s: %w", site.imported.name, err)
		}
		results = site.imported.signature.Results
	} else {
		if in.imm >= uint64(len(d.functions)) {
			return fmt.Errorf("function %d of %d", in.imm, len(d.functions))
		}
		site.function = &d.functions[in.imm]
		arguments, results = site.function.signature.Arguments, site.function.signature.Results
	}
	var err error
	if site.arguments, err = d.typed(lists[0], arguments); err != nil {
		return fmt.Errorf("arguments: %w", err)
	}
	if site.results, err = d.typed(lists[1], results); err != nil {
		return fmt.Errorf("results: %w", err)
	}
	return nil
}

// expandSpans replaces the spans of a calling convention by as many tuples as the
// segment list says. That list has an entry for each top-level argument.
func expandSpans(convention string, segments []uint16) (expanded string, spans []int, err error) {
	const maxArguments = 1 << 16
	var out []byte
	segment := 0
	for i := 0; i < len(convention); i++ {
		if convention[i] != 'C' {
			out = append(out, convention[i])
			segment++
			continue
		}
		if segment >= len(segments) {
			return "", nil, fmt.Errorf("no length for span %d of %q", len(spans), convention)
		}
		end := i + 1
		for convention[end] != 'D' {
			end++
		}
		n := int(segments[segment])
		segment++
		for range n {
			if out = append(out, convention[i+1:end]...); len(out) > maxArguments {
				return "", nil, fmt.Errorf("more than %d arguments", maxArguments)
			}
		}
		spans = append(spans, n)
		i = end
	}
	return string(out), spans, nil
}

// typed gives the registers of a list the kinds of a calling convention.
func (d *decoder) typed(registers []uint16, kinds string) ([]operand, error) {
	if len(registers) != len(kinds) {
		return nil, fmt.Errorf("%d operands for %q", len(registers), kinds)
	}
	typed := make([]operand, len(registers))
	for i, r := range registers {
		k := Kind(kinds[i])
		if (k == Reference) != (r&referenceBit != 0) {
			return nil, fmt.Errorf("operand %d is in the wrong register bank for %q", i, k)
		}
		typed[i] = operand{k, d.register(r, k)}
	}
	return typed, d.err
}

func linkReturn(d *decoder, in *instruction) (err error) {
	in.more.values, err = d.typed(in.more.lists[0], d.fn.signature.Results)
	return err
}

func linkImportResolved(d *decoder, in *instruction) error {
	index := in.imm &^ importBit
	if in.imm&importBit == 0 || index >= uint64(len(d.imports)) {
		return fmt.Errorf("import %#x of %d", in.imm, len(d.imports))
	}
	in.more.call = &callSite{imported: &d.imports[index], resume: -1}
	return nil
}
