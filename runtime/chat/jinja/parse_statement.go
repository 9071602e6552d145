package jinja

// tags are the statements, each with the parser of what follows its name.
var tags map[string]func(*parser) statement

func init() {
	tags = map[string]func(*parser) statement{
		"for": (*parser).parseFor, "if": (*parser).parseIf, "set": (*parser).parseSet, "with": (*parser).parseWith,
		"macro": (*parser).parseMacro, "call": (*parser).parseCall, "filter": (*parser).parseFilterBlock,
		"generation": (*parser).parseGeneration, "print": (*parser).parsePrint,
		"break":    func(p *parser) statement { return p.jump(breakLoop) },
		"continue": func(p *parser) statement { return p.jump(continueLoop) },
	}
}

func (p *parser) jump(c control) statement {
	if p.loops == 0 {
		p.fail("%s outside of a loop", p.tokens[p.at-1])
	}
	return jumpNode(c)
}

func (p *parser) parseFor() statement {
	n := &forNode{line: p.peek().line, target: p.target(false, "in")}
	p.expect(tokName, "in")
	n.iter = p.tuple(false, "recursive")
	if p.skip(tokName, "if") {
		n.test = p.expression(true)
	}
	n.recursive = p.skip(tokName, "recursive")
	if n.recursive {
		p.names["loop"] = true
	}
	var end string
	p.loops++
	n.body, end = p.body("else", "endfor")
	p.loops--
	if end == "else" {
		n.orElse, _ = p.body("endfor")
	}
	return n
}

func (p *parser) parseIf() statement {
	n := &ifNode{}
	for end := "elif"; end == "elif"; {
		arm := ifArm{line: p.peek().line, test: p.tuple(false)}
		arm.body, end = p.body("elif", "else", "endif")
		n.arms = append(n.arms, arm)
		if end == "else" {
			n.orElse, _ = p.body("endif")
		}
	}
	return n
}

func (p *parser) parseSet() statement {
	line := p.peek().line
	target := p.target(true)
	if p.skip(tokOperator, "=") {
		return &setNode{line, target, p.tuple(true)}
	}
	n := &setBlockNode{line: line, target: target, filter: p.filters(captured{})}
	n.body, _ = p.body("endset")
	return n
}

func (p *parser) parseWith() statement {
	n := &withNode{line: p.peek().line}
	for p.peek().kind != tokBlockEnd {
		if len(n.targets) > 0 {
			p.expect(tokOperator, ",")
		}
		n.targets = append(n.targets, p.target(false))
		p.expect(tokOperator, "=")
		n.values = append(n.values, p.expression(true))
	}
	n.body, _ = p.body("endwith")
	return n
}

// function parses a body that is rendered on its own: a loop around it can't be left
// from inside.
func (p *parser) function(end string) block {
	loops := p.loops
	p.loops = 0
	body, _ := p.body(end)
	p.loops = loops
	return body
}

func (p *parser) parseMacro() statement {
	n := &macroNode{line: p.peek().line, name: p.name()}
	p.names[n.name] = true
	p.signature(n)
	p.macros = append(p.macros, n)
	n.body = p.function("endmacro")
	p.macros = p.macros[:len(p.macros)-1]
	return n
}

// signature parses the parameters of a macro.
func (p *parser) signature(n *macroNode) {
	p.expect(tokOperator, "(")
	for !p.is(tokOperator, ")") {
		if len(n.params) > 0 {
			p.expect(tokOperator, ",")
		}
		param := parameter{name: p.name()}
		p.names[param.name] = true
		if p.skip(tokOperator, "=") {
			param.value = p.expression(true)
		} else if k := len(n.params); k > 0 && n.params[k-1].value != nil {
			p.fail("parameter %s has no default but follows one that has", param.name)
		}
		n.params = append(n.params, param)
	}
	p.next()
}

func (p *parser) parseCall() statement {
	n := &callNode{line: p.peek().line, caller: &macroNode{line: p.peek().line, name: "caller"}}
	if p.is(tokOperator, "(") {
		p.signature(n.caller)
	}
	call, ok := p.expression(true).(*callExpr)
	if !ok {
		p.fail("a call block needs a call: {%% call name(…) %%}")
	}
	n.call = call
	p.macros = append(p.macros, n.caller)
	n.caller.body = p.function("endcall")
	p.macros = p.macros[:len(p.macros)-1]
	return n
}

func (p *parser) parseFilterBlock() statement {
	n := &filterBlockNode{line: p.peek().line}
	n.filter = p.filters(p.filter(captured{}))
	n.body, _ = p.body("endfilter")
	return n
}

// parseGeneration parses transformers' tag around what the assistant says.
func (p *parser) parseGeneration() statement {
	return &generationNode{p.function("endgeneration")}
}

func (p *parser) parsePrint() statement {
	var n block
	for p.peek().kind != tokBlockEnd {
		if len(n) > 0 {
			p.expect(tokOperator, ",")
		}
		n = append(n, &outputNode{p.peek().line, p.expression(true)})
	}
	return n
}

// constants are names that can't be assigned to.
var constants = map[string]Value{"true": true, "True": true, "false": false, "False": false, "none": nil, "None": nil}

// target parses what is assigned to: a name, an attribute of a namespace if that is
// allowed, or a tuple of them, up to one of the end names.
func (p *parser) target(attributes bool, ends ...string) target {
	var all []target
	tuple := false
	for {
		switch {
		case p.skip(tokOperator, "("):
			all = append(all, nested(p, func() target { return p.target(attributes) }))
			p.expect(tokOperator, ")")
		default:
			name := p.name()
			if _, ok := constants[name]; ok {
				p.fail("can't assign to %s", name)
			}
			t := target{name: name}
			if attributes && p.skip(tokOperator, ".") {
				t.attribute = p.name()
				name = t.attribute
			}
			p.names[name] = true
			all = append(all, t)
		}
		if !p.skip(tokOperator, ",") {
			break
		}
		tuple = true
		if p.endsTuple(ends) {
			break
		}
	}
	if !tuple {
		return all[0]
	}
	return target{tuple: all}
}
