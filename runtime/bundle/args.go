package bundle

import (
	"fmt"
	"strconv"
	"strings"
)

// Args is an ordered list of arguments or results. In the manifest it is one line:
//
//	weight.0-271 state.0-59 slot:i32 token:i32[16] position:i32 valid:i32 cos.0:f32[16,32] sin.0:f32[16,32]
//
// Weights and state tensors have the types of the manifest's lists, so that only
// their indices are written.
type Args []Arg

// typedElsewhere are the roles whose types the manifest lists once.
func typedElsewhere(role string) bool { return role == "weight" || role == "state" }

// MarshalText writes the line.
func (a Args) MarshalText() ([]byte, error) {
	var words []string
	for i := 0; i < len(a); i++ {
		switch first := a[i]; {
		case typedElsewhere(first.Role):
			for i+1 < len(a) && a[i+1].Role == first.Role && a[i+1].Index == a[i].Index+1 {
				i++
			}
			words = append(words, fmt.Sprintf("%s.%d-%d", first.Role, first.Index, a[i].Index))
		case first.Role == "cos" || first.Role == "sin":
			words = append(words, fmt.Sprintf("%s.%d:%s", first.Role, first.Index, typeText(first)))
		default:
			words = append(words, first.Role+":"+typeText(first))
		}
	}
	return []byte(strings.Join(words, " ")), nil
}

// typeText is "i32" for a scalar, "f32[16,32]" for a tensor.
func typeText(a Arg) string {
	if len(a.Shape) == 0 {
		return a.DType
	}
	return a.DType + strings.ReplaceAll(fmt.Sprint(a.Shape), " ", ",")
}

// UnmarshalText reads the line; resolve expands its runs of weights and state.
func (a *Args) UnmarshalText(text []byte) error {
	*a = Args{}
	for _, word := range strings.Fields(string(text)) {
		if err := a.add(word); err != nil {
			return err
		}
	}
	return nil
}

func (a *Args) add(word string) error {
	bad := fmt.Errorf("argument %.60q is not role.from-to, role:type or role.index:type", word)
	name, typ, typed := strings.Cut(word, ":")
	role, index, indexed := strings.Cut(name, ".")
	if typedElsewhere(role) {
		first, last, ok := strings.Cut(index, "-")
		from, err1 := strconv.Atoi(first)
		to, err2 := strconv.Atoi(last)
		if typed || !ok || err1 != nil || err2 != nil || from < 0 || to < from {
			return bad
		}
		*a = append(*a, Arg{Role: role, Index: from, last: to})
		return nil
	}
	arg := Arg{Role: role, Shape: []int{}}
	var err error
	if indexed {
		if arg.Index, err = strconv.Atoi(index); err != nil {
			return bad
		}
	}
	dtype, dims, shaped := strings.Cut(typ, "[")
	arg.DType = dtype
	if dims, ok := strings.CutSuffix(dims, "]"); ok {
		for d := range strings.SplitSeq(dims, ",") {
			n, err := strconv.Atoi(d)
			if err != nil || len(arg.Shape) == maxRank {
				return bad
			}
			arg.Shape = append(arg.Shape, n)
		}
	} else if shaped || !typed {
		return bad
	}
	*a = append(*a, arg)
	return nil
}

// resolve expands the runs of weights and state of every graph, with their types.
func (m *Manifest) resolve() error {
	if err := m.validateCounts(); err != nil {
		return fmt.Errorf("manifest.toml: %w", err)
	}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		for _, list := range []*Args{&g.Args, &g.Results} {
			var err error
			if *list, err = m.expand(*list); err != nil {
				return fmt.Errorf("manifest.toml: graph %s: %w", g.Name, err)
			}
		}
	}
	return nil
}

func (m *Manifest) expand(runs Args) (Args, error) {
	limit := len(m.Weights) + len(m.State) + len(callRoles) + 2*len(m.RoPE) + 1 // no graph takes more
	list := make(Args, 0, limit)
	for _, a := range runs {
		n, typed := len(m.Weights), func(i int) (string, []int) { return m.Weights[i].DType, m.Weights[i].Shape }
		if a.Role == "state" {
			n, typed = len(m.State), func(i int) (string, []int) { return m.State[i].DType, m.State[i].Shape }
		}
		switch {
		case !typedElsewhere(a.Role):
			list = append(list, a)
		case a.last >= n:
			return nil, fmt.Errorf("%s %d of %d", a.Role, a.last, n)
		default:
			for i := a.Index; i <= a.last && len(list) <= limit; i++ {
				dtype, shape := typed(i)
				list = append(list, Arg{Role: a.Role, Index: i, DType: dtype, Shape: shape})
			}
		}
		if len(list) > limit {
			return nil, fmt.Errorf("more than %d arguments", limit)
		}
	}
	return list, nil
}
