package jinja

// statement is a node that prints or assigns; expression is one with a value.
type statement interface {
	exec(m *machine, s *scope, out *builder) control
}

type expression interface {
	eval(m *machine, s *scope) Value
}

// control says how a statement ended.
type control int

const (
	goOn control = iota
	breakLoop
	continueLoop
)

type (
	block    []statement
	dataNode struct{ text Text }
	jumpNode control

	outputNode struct {
		line  int
		value expression
	}
	forNode struct {
		line         int
		target       target
		iter, test   expression // test may be nil
		recursive    bool
		body, orElse block
	}
	ifNode struct {
		arms   []ifArm
		orElse block
	}
	ifArm struct {
		line int
		test expression
		body block
	}
	setNode struct {
		line   int
		target target
		value  expression
	}
	setBlockNode struct {
		line   int
		target target
		filter expression // of captured
		body   block
	}
	withNode struct {
		line    int
		targets []target
		values  []expression
		body    block
	}
	macroNode struct {
		line   int
		name   string
		params []parameter
		uses   []string // of macroNames
		body   block
	}
	callNode struct {
		line   int
		call   *callExpr
		caller *macroNode
	}
	filterBlockNode struct {
		line   int
		filter expression // of captured
		body   block
	}
	generationNode struct{ body block }
)

// target is what is assigned to: a name, an attribute of a namespace, or a tuple.
type target struct {
	name, attribute string
	tuple           []target
}

// parameter of a macro; value is its default, nil if it has none.
type parameter struct {
	name  string
	value expression
}

type (
	constExpr struct{ value Value }

	// captured stands for the text of a block that is filtered.
	captured struct{}

	nameExpr struct {
		line int
		name string
	}
	listExpr struct {
		kind  sequence
		items []expression
	}
	dictExpr struct {
		line         int
		keys, values []expression
	}
	attributeExpr struct {
		line int
		of   expression
		name string
	}
	itemExpr struct {
		line      int
		of, index expression
	}
	sliceExpr struct {
		line   int
		of     expression
		bounds [3]expression // from, to, step; nil if left out
	}
	callExpr struct {
		line int
		f    expression
		args arguments
	}
	filterExpr struct {
		line   int
		of     expression
		filter *builtin
		args   arguments
	}
	testExpr struct {
		line int
		of   expression
		test *builtin
		args arguments
	}
	conditionExpr struct{ test, then, orElse expression } // orElse may be nil
	logicExpr     struct {
		left, right expression
		or          bool
	}
	notExpr     struct{ of expression }
	compareExpr struct {
		line  int
		first expression
		rest  []comparison
	}
	comparison struct {
		op    string
		right expression
	}
	binaryExpr struct {
		line        int
		op          string
		left, right expression
	}
	concatExpr struct {
		line  int
		items []expression
	}
	unaryExpr struct {
		line   int
		negate bool
		of     expression
	}
)

// arguments of a call as they are written.
type arguments struct {
	positional        []expression
	keywords          []keywordExpr
	rest, keywordRest expression // *rest, **keywordRest; nil if there are none
}

type keywordExpr struct {
	name  string
	value expression
}
