package ir

import "strings"

// form is how an op prints and parses after its name: pieces, left to right.
type form []piece

// piece prints a part of an op and parses it back.
type piece struct {
	print func(p *printer, op *Op)
	parse func(p *parser, op *parsedOp)
}

// parsedOp is an op being parsed, with the result types that its text states.
type parsedOp struct {
	*Op
	types []Type
}

// operandList is the operands, separated by commas.
var operandList = piece{
	func(p *printer, op *Op) {
		if len(op.Operands) > 0 {
			p.item()
			p.text.WriteString(p.nameList(op.Operands))
		}
	},
	func(p *parser, op *parsedOp) {
		if p.nextItemIs(valueToken) {
			op.Operands = p.values()
		}
	},
}

// operandTuple is the operands in parentheses.
var operandTuple = piece{
	func(p *printer, op *Op) { p.printf("(%s)", p.nameList(op.Operands)) },
	func(p *parser, op *parsedOp) {
		p.expect("(")
		if p.tok.kind == valueToken {
			op.Operands = p.values()
		}
		p.expect(")")
	},
}

// list is `keyword = [1, 2]`, the attribute of that name.
func list(keyword, attr string) piece {
	return piece{
		func(p *printer, op *Op) {
			p.item()
			p.printf("%s = [%s]", keyword, joinInts(op.Attrs[attr].([]int)))
		},
		func(p *parser, op *parsedOp) {
			p.item()
			p.expect(keyword)
			p.expect("=")
			op.Attrs[attr] = p.intList()
		},
	}
}

// number is `keyword = 1`, the attribute of that name.
func number(keyword, attr string) piece {
	return piece{
		func(p *printer, op *Op) {
			p.item()
			p.printf("%s = %d", keyword, op.Attrs[attr])
		},
		func(p *parser, op *parsedOp) {
			p.item()
			p.expect(keyword)
			p.expect("=")
			op.Attrs[attr] = p.int()
		},
	}
}

// sameType is the type of the operands and of the result.
var sameType = piece{
	func(p *printer, op *Op) { p.printf(" : %v", op.Operands[0].Type) },
	func(p *parser, op *parsedOp) {
		p.expect(":")
		op.types = []Type{p.typ()}
	},
}

// resultType is the type of the result, which is the attribute type.
var resultType = piece{
	func(p *printer, op *Op) { p.printf(" : %v", op.Attrs["type"]) },
	func(p *parser, op *parsedOp) {
		p.expect(":")
		t := p.typ()
		op.types, op.Attrs["type"] = []Type{t}, t
	},
}

// signature is (operand types) -> result types.
var signature = piece{
	func(p *printer, op *Op) {
		p.printf(" : %s -> %s", typeList(typesOf(op.Operands)), resultList(typesOf(op.Results)))
	},
	func(p *parser, op *parsedOp) {
		p.expect(":")
		p.checkTypes(op, p.typeTuple())
		p.expect("->")
		op.types = p.resultTypes()
	},
}

// resultSignature is a signature whose result type is the attribute type.
var resultSignature = piece{signature.print, func(p *parser, op *parsedOp) {
	signature.parse(p, op)
	op.Attrs["type"] = p.onlyType(op)
}}

// dotSignature is a signature whose result's element type is the attribute dtype.
var dotSignature = piece{signature.print, func(p *parser, op *parsedOp) {
	signature.parse(p, op)
	op.Attrs["dtype"] = p.onlyType(op).DType
}}

// operandTypes is the types of the operands, which the results have too.
var operandTypes = piece{returnedTypes.print, func(p *parser, op *parsedOp) {
	returnedTypes.parse(p, op)
	op.types = typesOf(op.Operands)
}}

// returnedTypes is the types of the operands of an op without results.
var returnedTypes = piece{
	func(p *printer, op *Op) {
		if len(op.Operands) > 0 {
			p.text.WriteString(" : " + strings.Trim(typeList(typesOf(op.Operands)), "()"))
		}
	},
	func(p *parser, op *parsedOp) {
		if len(op.Operands) > 0 {
			p.expect(":")
			p.checkTypes(op, p.types())
		}
	},
}

// comparisonDirection and comparisonType are LT and SIGNED of a compare. The type
// follows the operands and is no attribute.
var (
	comparisonDirection = piece{
		func(p *printer, op *Op) {
			p.item()
			p.printf("%s", op.Attrs["comparison_direction"])
		},
		func(p *parser, op *parsedOp) {
			p.item()
			op.Attrs["comparison_direction"] = p.take(wordToken, "a comparison direction")
		},
	}
	comparisonType = piece{
		func(p *printer, op *Op) {
			p.item()
			p.text.WriteString(compareType(op.Operands[0].Type.DType))
		},
		func(p *parser, op *parsedOp) {
			p.item()
			if len(op.Operands) == 0 {
				p.fail("compare without operands")
			}
			p.expect(compareType(op.Operands[0].Type.DType))
		},
	}
)

// selectTypes is the type of the predicate and the one of the result.
var selectTypes = piece{
	func(p *printer, op *Op) { p.printf(" : %v, %v", op.Operands[0].Type, op.Operands[1].Type) },
	func(p *parser, op *parsedOp) {
		p.expect(":")
		ts := p.types()
		if len(ts) != 2 || len(op.Operands) != 3 {
			p.fail("select wants three operands and two types")
		}
		p.checkTypes(op, []Type{ts[0], ts[1], ts[1]})
		op.types = ts[1:]
	},
}

// constantValue is dense<…> : type.
var constantValue = piece{
	func(p *printer, op *Op) { p.printf(" %s", attrText(op.Attrs["value"])) },
	func(p *parser, op *parsedOp) {
		t := p.tensor()
		op.types, op.Attrs["value"] = []Type{t.Type}, t
	},
}

// sliceRanges is [start:limit, start:limit:stride].
var sliceRanges = piece{
	func(p *printer, op *Op) {
		limit, strides := op.Attrs["limit_indices"].([]int), op.Attrs["strides"].([]int)
		p.text.WriteString(" [")
		for i, start := range op.Attrs["start_indices"].([]int) {
			if i > 0 {
				p.text.WriteString(", ")
			}
			p.printf("%d:%d", start, limit[i])
			if strides[i] != 1 {
				p.printf(":%d", strides[i])
			}
		}
		p.text.WriteString("]")
	},
	func(p *parser, op *parsedOp) {
		start, limit, strides := []int{}, []int{}, []int{}
		p.list("[", "]", func() {
			start = append(start, p.int())
			p.expect(":")
			limit = append(limit, p.int())
			stride := 1
			if p.accept(":") {
				stride = p.int()
			}
			strides = append(strides, stride)
		})
		op.Attrs["start_indices"], op.Attrs["limit_indices"], op.Attrs["strides"] = start, limit, strides
	},
}
