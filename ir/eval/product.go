package eval

// The inner loops of contractions all sum in one order, whatever the layout: blocks
// of termBlock terms, in a block four terms at a time as (a+b)+(c+d). That is exacter
// than one after the other, lets the processor overlap work, and gives the same bits
// for a weight however it is stored. Conversions of products keep compilers from
// fusing multiplication and addition, so that all machines agree.

// termBlock is how many terms are summed before their sum is added to the total.
const termBlock = 128

// dot is total + Σ x·w.
func dot(total float32, x, w []float32) float32 {
	w = w[:len(x)]
	for len(x) > 0 {
		n := min(termBlock, len(x))
		total += dotBlock(x[:n], w[:n])
		x, w = x[n:], w[n:]
	}
	return total
}

func dotBlock(x, w []float32) float32 {
	var s float32
	for len(x) >= 4 && len(w) >= 4 {
		s += (float32(x[0]*w[0]) + float32(x[1]*w[1])) + (float32(x[2]*w[2]) + float32(x[3]*w[3]))
		x, w = x[4:], w[4:]
	}
	for k, v := range x {
		s += float32(v * w[k])
	}
	return s
}

// addTerms adds up to four terms of each column to acc.
func addTerms(acc, x []float32, w *[4][]float32) {
	if len(x) == 4 {
		x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
		n := len(acc)
		w0, w1, w2, w3 := w[0][:n], w[1][:n], w[2][:n], w[3][:n]
		for j := range acc {
			acc[j] += (float32(x0*w0[j]) + float32(x1*w1[j])) + (float32(x2*w2[j]) + float32(x3*w3[j]))
		}
		return
	}
	for k, v := range x {
		for j, u := range w[k][:len(acc)] {
			acc[j] += float32(v * u)
		}
	}
}

// addFour adds to each of four columns its terms of one block, of which w holds one
// in stride.
func addFour(acc *[4]float32, x, w []float32, stride int) {
	var s0, s1, s2, s3 float32
	k := 0
	for ; k+4 <= len(x); k += 4 {
		x0, x1, x2, x3 := x[k], x[k+1], x[k+2], x[k+3]
		a, b, c, d := w[k*stride:][:4], w[(k+1)*stride:][:4], w[(k+2)*stride:][:4], w[(k+3)*stride:][:4]
		s0 += (float32(x0*a[0]) + float32(x1*b[0])) + (float32(x2*c[0]) + float32(x3*d[0]))
		s1 += (float32(x0*a[1]) + float32(x1*b[1])) + (float32(x2*c[1]) + float32(x3*d[1]))
		s2 += (float32(x0*a[2]) + float32(x1*b[2])) + (float32(x2*c[2]) + float32(x3*d[2]))
		s3 += (float32(x0*a[3]) + float32(x1*b[3])) + (float32(x2*c[3]) + float32(x3*d[3]))
	}
	for ; k < len(x); k++ {
		v, u := x[k], w[k*stride:][:4]
		s0 += float32(v * u[0])
		s1 += float32(v * u[1])
		s2 += float32(v * u[2])
		s3 += float32(v * u[3])
	}
	acc[0] += s0
	acc[1] += s1
	acc[2] += s2
	acc[3] += s3
}
