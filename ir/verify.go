package ir

import (
	"fmt"
	"slices"
	"strings"
)

// Verify checks the invariants of a module: each is a function named as the
// sentence that it checks. Errors name the function and the op.
func Verify(m *Module) error {
	for _, check := range []func(*Module) error{
		namesAreIdentifiers,
		functionNamesAreUnique,
		attributesAreValues,
		blocksEndWithTheirTerminator,
		typesAreInferred,
		operandsAreDefinedBefore,
		functionsReturnTheirResults,
		callsDoNotRecurse,
	} {
		if err := check(m); err != nil {
			return err
		}
	}
	return nil
}

// eachFunc runs check on every function and names it in the error.
func eachFunc(m *Module, check func(*Func) error) error {
	for _, f := range m.Funcs {
		if err := check(f); err != nil {
			return fmt.Errorf("%w (in function @%s)", err, f.Name)
		}
	}
	return nil
}

// eachOp runs check on every op of b, inner ones after the op that holds them.
func eachOp(b *Block, check func(*Op) error) error {
	for _, op := range b.Ops {
		if err := check(op); err != nil {
			return err
		}
		for _, r := range op.Regions {
			if err := eachOp(r, check); err != nil {
				return err
			}
		}
	}
	return nil
}

// eachBlock runs check on b and on every block inside it.
func eachBlock(b *Block, check func(*Block) error) error {
	if err := check(b); err != nil {
		return err
	}
	for _, op := range b.Ops {
		for _, r := range op.Regions {
			if err := eachBlock(r, check); err != nil {
				return err
			}
		}
	}
	return nil
}

func namesAreIdentifiers(m *Module) error {
	if m.Name != "" && !isName(m.Name) {
		return fmt.Errorf("ir: module name %q is not an identifier", m.Name)
	}
	return eachFunc(m, func(f *Func) error {
		if !isName(f.Name) {
			return fmt.Errorf("ir: function name %q is not an identifier", f.Name)
		}
		if err := hintsAreIdentifiers(f.Args); err != nil {
			return err
		}
		return eachBlock(f.Body, func(b *Block) error {
			if err := hintsAreIdentifiers(b.Args); err != nil {
				return err
			}
			for _, op := range b.Ops {
				if err := hintsAreIdentifiers(op.Results); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

func hintsAreIdentifiers(vs []*Value) error {
	for _, v := range vs {
		if v.Hint != "" && !isHint(v.Hint) {
			return fmt.Errorf("ir: value name %q is not an identifier", v.Hint)
		}
	}
	return nil
}

func functionNamesAreUnique(m *Module) error {
	seen := map[string]bool{}
	return eachFunc(m, func(f *Func) error {
		if seen[f.Name] {
			return fmt.Errorf("ir: function name %q is there twice", f.Name)
		}
		seen[f.Name] = true
		return nil
	})
}

// attributesAreValues also holds MLIR's rule that the attributes of modules and
// arguments have names with a dialect prefix, such as mlxc.name.
func attributesAreValues(m *Module) error {
	if err := checkPrefixed("the module", m.Attrs); err != nil {
		return err
	}
	return eachFunc(m, func(f *Func) error {
		if len(f.ArgAttrs) > len(f.Args) {
			return fmt.Errorf("ir: attributes for %d arguments, there are %d", len(f.ArgAttrs), len(f.Args))
		}
		for i, attrs := range f.ArgAttrs {
			if err := checkPrefixed(fmt.Sprintf("argument %d", i), attrs); err != nil {
				return err
			}
		}
		return eachOp(f.Body, func(op *Op) error {
			return checkAttr(describe(op), op.Attrs["composite_attributes"])
		})
	})
}

// checkPrefixed checks attributes whose names have a dialect prefix.
func checkPrefixed(where string, attrs map[string]any) error {
	for _, key := range sortedKeys(attrs) {
		if !strings.Contains(key, ".") {
			return fmt.Errorf("ir: %s: attribute name %q has no dialect prefix, as in mlxc.%[2]s", where, key)
		}
	}
	return checkAttr(where, attrs)
}

// checkAttr checks that v is one of the types that Op allows, or nil.
func checkAttr(where string, v any) error {
	switch v := v.(type) {
	case nil, bool, int, Index, float64, string, []int, DType:
		return nil
	case Type:
		if err := checkType(v); err != nil {
			return fmt.Errorf("ir: %s: attribute %v: %w", where, v, err)
		}
		return nil
	case *Tensor:
		if err := v.check(); err != nil {
			return fmt.Errorf("ir: %s: %w", where, err)
		}
		return nil
	case map[string]any:
		for _, key := range sortedKeys(v) {
			if !isName(key) || v[key] == nil {
				return fmt.Errorf("ir: %s: attribute %q = %v: want an identifier and a value", where, key, v[key])
			}
			if err := checkAttr(where+": "+key, v[key]); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("ir: %s: a %T is no attribute value", where, v)
}

func blocksEndWithTheirTerminator(m *Module) error {
	return eachFunc(m, func(f *Func) error {
		return eachBlock(f.Body, func(b *Block) error {
			want := "stablehlo.return"
			if b == f.Body {
				want = "func.return"
			}
			for i, op := range b.Ops {
				def, last := opTable[op.Name], i == len(b.Ops)-1
				if def != nil && def.terminator && !(last && op.Name == want) {
					return fmt.Errorf("ir: %s is not what ends this block, or not its end", describe(op))
				}
			}
			if len(b.Ops) == 0 || b.Ops[len(b.Ops)-1].Name != want {
				return fmt.Errorf("ir: a block does not end with %s", want)
			}
			return nil
		})
	})
}

// typesAreInferred also covers the signatures of calls and of composites, which
// infer as their callee or decomposition states.
func typesAreInferred(m *Module) error {
	return eachFunc(m, func(f *Func) error {
		for _, v := range f.Args {
			if err := checkType(v.Type); err != nil {
				return fmt.Errorf("ir: argument of type %v: %w", v.Type, err)
			}
		}
		return eachOp(f.Body, func(op *Op) error {
			types, err := infer(m, op)
			if err != nil {
				return err
			}
			if have := typesOf(op.Results); !equalTypes(have, types) {
				return fmt.Errorf("ir: %s: results have types %s, inferred are %s", describe(op), typeList(have), typeList(types))
			}
			return nil
		})
	})
}

// operandsAreDefinedBefore also makes sure that each value is defined once, and
// that none belongs to another function.
func operandsAreDefinedBefore(m *Module) error {
	defined := map[*Value]bool{} // anywhere in the module
	return eachFunc(m, func(f *Func) error {
		visible := map[*Value]bool{}
		return checkBlock(f.Body, f.Args, visible, defined)
	})
}

// checkBlock checks a block with its arguments; what it defines is visible inside
// it only.
func checkBlock(b *Block, args []*Value, visible, defined map[*Value]bool) error {
	var own []*Value
	define := func(vs []*Value, def *Op) error {
		for _, v := range vs {
			if defined[v] || v.Def != def {
				return fmt.Errorf("ir: value %%%s of type %v is defined twice or by another op", v.Hint, v.Type)
			}
			defined[v], visible[v] = true, true
			own = append(own, v)
		}
		return nil
	}
	if err := define(args, nil); err != nil {
		return err
	}
	for _, op := range b.Ops {
		for i, v := range op.Operands {
			if !visible[v] {
				return fmt.Errorf("ir: %s: operand %d is not defined before, in this block or one around it", describe(op), i)
			}
		}
		for _, r := range op.Regions {
			if err := checkBlock(r, r.Args, visible, defined); err != nil {
				return err
			}
		}
		if err := define(op.Results, op); err != nil {
			return err
		}
	}
	for _, v := range own {
		delete(visible, v)
	}
	return nil
}

func functionsReturnTheirResults(m *Module) error {
	return eachFunc(m, func(f *Func) error {
		ret := f.Body.Ops[len(f.Body.Ops)-1]
		if have := typesOf(ret.Operands); !equalTypes(have, f.Results) {
			return fmt.Errorf("ir: the function returns %s, its results are %s", typeList(have), typeList(f.Results))
		}
		return nil
	})
}

func callsDoNotRecurse(m *Module) error {
	done := map[string]bool{}
	var visit func(f *Func, path []string) error
	visit = func(f *Func, path []string) error {
		if slices.Contains(path, f.Name) {
			return fmt.Errorf("ir: function @%s calls itself (by way of %v)", f.Name, path)
		}
		if done[f.Name] {
			return nil
		}
		path = append(path, f.Name)
		err := eachOp(f.Body, func(op *Op) error {
			for _, key := range []string{"callee", "decomposition"} {
				if name, ok := op.Attrs[key].(string); ok {
					if err := visit(m.Func(name), path); err != nil {
						return err
					}
				}
			}
			return nil
		})
		done[f.Name] = true
		return err
	}
	for _, f := range m.Funcs {
		if err := visit(f, nil); err != nil {
			return err
		}
	}
	return nil
}
