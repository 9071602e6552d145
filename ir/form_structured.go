package ir

// The pieces of ops with dimension numbers, with regions and with a callee.

// dotDims is the pairs of batching and contracting dimensions, the former
// omitted where there are none.
var dotDims = piece{
	func(p *printer, op *Op) {
		d := dotAttrs(op)
		if len(d.LhsBatch)+len(d.RhsBatch) > 0 {
			p.item()
			p.printf("batching_dims = [%s] x [%s]", joinInts(d.LhsBatch), joinInts(d.RhsBatch))
		}
		p.item()
		p.printf("contracting_dims = [%s] x [%s]", joinInts(d.LhsContract), joinInts(d.RhsContract))
	},
	func(p *parser, op *parsedOp) {
		pair := func(lhs, rhs string) {
			p.expect("=")
			op.Attrs[lhs] = p.intList()
			p.expect("x")
			op.Attrs[rhs] = p.intList()
		}
		op.Attrs["lhs_batching_dimensions"], op.Attrs["rhs_batching_dimensions"] = []int{}, []int{}
		p.item()
		if p.accept("batching_dims") {
			pair("lhs_batching_dimensions", "rhs_batching_dimensions")
			p.item()
		}
		p.expect("contracting_dims")
		pair("lhs_contracting_dimensions", "rhs_contracting_dimensions")
	},
}

// gatherDims is the properties of a gather.
var gatherDims = piece{
	func(p *printer, op *Op) {
		d := gatherAttrs(op)
		p.printf(" <{dimension_numbers = #stablehlo.gather<offset_dims = [%s], collapsed_slice_dims = [%s], "+
			"start_index_map = [%s], index_vector_dim = %d>, slice_sizes = array<i64%s>}>",
			joinInts(d.OffsetDims), joinInts(d.CollapsedSliceDims), joinInts(d.StartIndexMap),
			d.IndexVectorDim, prefixed(": ", joinInts(d.SliceSizes)))
	},
	func(p *parser, op *parsedOp) {
		p.expect("<", "{", "dimension_numbers", "=", "#stablehlo.gather", "<")
		for _, key := range []string{"offset_dims", "collapsed_slice_dims", "start_index_map"} {
			p.expect(key, "=")
			op.Attrs[key] = p.intList()
			p.expect(",")
		}
		p.expect("index_vector_dim", "=")
		op.Attrs["index_vector_dim"] = p.int()
		p.expect(">", ",", "slice_sizes", "=")
		op.Attrs["slice_sizes"] = p.intArray()
		p.expect("}", ">")
	},
}

// sortAttrs is the properties of a sort.
var sortAttrs = piece{
	func(p *printer, op *Op) {
		p.printf(" <{dimension = %d : i64, is_stable = %v}>", op.Attrs["dimension"], op.Attrs["is_stable"])
	},
	func(p *parser, op *parsedOp) {
		p.expect("<", "{", "dimension", "=")
		op.Attrs["dimension"] = p.int()
		p.expect(":", "i64", ",", "is_stable", "=")
		op.Attrs["is_stable"] = p.bool()
		p.expect("}", ">")
	},
}

// regionTuple is the one region of an op in generic form, with its arguments.
var regionTuple = piece{
	func(p *printer, op *Op) {
		r := op.Regions[0]
		p.text.WriteString(" ({")
		p.newline()
		p.printf("^bb0(%s):", p.typedNames(r.Args))
		p.indent++
		for _, inner := range r.Ops {
			p.newline()
			p.op(inner)
		}
		p.indent--
		p.newline()
		p.text.WriteString("})")
	},
	func(p *parser, op *parsedOp) {
		p.expect("(", "{", "^bb0")
		block := &Block{}
		p.scoped(func() {
			block.Args = p.typedNames("(", ")")
			p.expect(":")
			p.ops(block)
		})
		p.expect("}", ")")
		op.Regions = []*Block{block}
	},
}

// reduction is a whole reduce after its name: with a one-op body in one line, as
// in `(%x init: %c) applies stablehlo.add across dimensions = [1] : …`, else with
// the body as block, whose arguments print in pairs of accumulator and element.
var reduction = piece{
	func(p *printer, op *Op) {
		n := len(op.Operands) / 2
		for i, x := range op.Operands[:n] {
			if i > 0 {
				p.text.WriteString(", ")
			}
			p.printf("(%s init: %s)", p.name(x), p.name(op.Operands[n+i]))
		}
		applied := appliedOp(op)
		if applied != nil {
			p.printf(" applies %s", applied.Name)
		}
		p.printf(" across dimensions = [%s]", joinInts(op.Attrs["dimensions"].([]int)))
		signature.print(p, op)
		if applied == nil {
			p.reducer(op.Regions[0])
		}
	},
	func(p *parser, op *parsedOp) {
		var inits []*Value
		for more := true; more; more = p.accept(",") {
			p.expect("(")
			op.Operands = append(op.Operands, p.value())
			p.expect("init", ":")
			inits = append(inits, p.value())
			p.expect(")")
		}
		op.Operands = append(op.Operands, inits...)
		applied := ""
		if p.accept("applies") {
			applied = p.take(wordToken, "an op")
		}
		p.expect("across", "dimensions", "=")
		op.Attrs["dimensions"] = p.intList()
		signature.parse(p, op)
		if applied != "" {
			op.Regions = []*Block{p.appliedBody(applied, op.Operands[0].Type.DType)}
		} else {
			op.Regions = []*Block{p.reducer(len(inits))}
		}
	},
}

// reducer prints the body of a reduce.
func (p *printer) reducer(body *Block) {
	p.indent++
	p.newline()
	p.text.WriteString("reducer")
	n := len(body.Args) / 2
	for i := range n {
		p.printf("(%s) ", p.typedNames([]*Value{body.Args[i], body.Args[n+i]}))
	}
	p.block(body)
	p.indent--
}

// reducer parses the body of a reduce of n operands.
func (p *parser) reducer(n int) *Block {
	body := &Block{Args: make([]*Value, 2*n)}
	p.expect("reducer")
	p.scoped(func() {
		for i := range n {
			pair := p.typedNames("(", ")")
			if len(pair) != 2 {
				p.fail("the arguments of a reducer come in pairs")
			}
			body.Args[i], body.Args[n+i] = pair[0], pair[1]
		}
		p.expect("{")
		p.ops(body)
		p.expect("}")
	})
	return body
}

// appliedOp is the commutative op that the body of a one-operand reduce applies
// to accumulator and element, or nil if the body is not just that.
func appliedOp(reduce *Op) *Op {
	if reduce.Name != "stablehlo.reduce" || len(reduce.Operands) != 2 || len(reduce.Regions) != 1 {
		return nil
	}
	body := reduce.Regions[0]
	if len(body.Args) != 2 || len(body.Ops) != 2 {
		return nil
	}
	op, ret := body.Ops[0], body.Ops[1]
	if !isCommutative(op.Name) || len(op.Operands) != 2 || op.Operands[0] != body.Args[0] || op.Operands[1] != body.Args[1] ||
		len(op.Results) != 1 || len(ret.Operands) != 1 || ret.Operands[0] != op.Results[0] {
		return nil
	}
	return op
}

// isCommutative reports whether a reduce may apply the op in its short form.
func isCommutative(name string) bool {
	def := opTable[name]
	return def != nil && def.commutative
}

// appliedBody is the body of a reduce that applies one commutative op.
func (p *parser) appliedBody(name string, d DType) *Block {
	if !isCommutative(name) {
		p.fail("%s is no commutative op", name)
	}
	acc, x, result := &Value{Type: T(d)}, &Value{Type: T(d)}, &Value{Type: T(d)}
	op := &Op{Name: name, Operands: []*Value{acc, x}, Results: []*Value{result}}
	result.Def = op
	ret := &Op{Name: "stablehlo.return", Operands: []*Value{result}}
	return &Block{Args: []*Value{acc, x}, Ops: []*Op{op, ret}}
}

// loop is a whole while after its name: (%i = %init, …) : types cond {…} do {…}.
// Both blocks use the names of the one argument list.
var loop = piece{
	func(p *printer, op *Op) {
		p.text.WriteString("(")
		for i, init := range op.Operands {
			if i > 0 {
				p.text.WriteString(", ")
			}
			p.printf("%s = %s", p.name(op.Regions[0].Args[i]), p.name(init))
		}
		p.text.WriteString(")")
		returnedTypes.print(p, op)
		p.newline()
		p.text.WriteString("cond ")
		p.block(op.Regions[0])
		p.text.WriteString(" do ")
		p.block(op.Regions[1])
	},
	func(p *parser, op *parsedOp) {
		var names []string
		p.list("(", ")", func() {
			names = append(names, p.take(valueToken, "a value"))
			p.expect("=")
			op.Operands = append(op.Operands, p.value())
		})
		operandTypes.parse(p, op)
		p.expect("cond")
		cond := p.loopBlock(names, op.types)
		p.expect("do")
		op.Regions = []*Block{cond, p.loopBlock(names, op.types)}
	},
}

// loopBlock parses a block whose arguments have those names and types.
func (p *parser) loopBlock(names []string, types []Type) *Block {
	b := &Block{}
	p.scoped(func() {
		for i, name := range names {
			b.Args = append(b.Args, p.define(name, types[i]))
		}
		p.expect("{")
		p.ops(b)
		p.expect("}")
	})
	return b
}

// callee is the function that a call calls.
var callee = piece{
	func(p *printer, op *Op) { p.printf(" @%s", op.Attrs["callee"]) },
	func(p *parser, op *parsedOp) { op.Attrs["callee"] = p.take(symbolToken, "a function") },
}

// compositeName is the quoted name of a composite.
var compositeName = piece{
	func(p *printer, op *Op) { p.printf(" %s", quote(op.Attrs["name"].(string))) },
	func(p *parser, op *parsedOp) { op.Attrs["name"] = p.take(stringToken, "a name") },
}

// compositeAttrs is the dictionary of a composite: its own attributes, if it has
// any, and the decomposition.
var compositeAttrs = piece{
	func(p *printer, op *Op) {
		p.text.WriteString(" {")
		if own := op.Attrs["composite_attributes"].(map[string]any); len(own) > 0 {
			p.printf("composite_attributes = %s, ", attrText(own))
		}
		p.printf("decomposition = @%s}", op.Attrs["decomposition"])
	},
	func(p *parser, op *parsedOp) {
		own := map[string]any{}
		p.expect("{")
		if p.accept("composite_attributes") {
			p.expect("=")
			own = p.attrMap()
			p.expect(",")
		}
		p.expect("decomposition", "=")
		op.Attrs["decomposition"] = p.take(symbolToken, "a function")
		op.Attrs["composite_attributes"] = own
		p.expect("}")
	},
}
