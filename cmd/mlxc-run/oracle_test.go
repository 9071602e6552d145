package main

import (
	"encoding/binary"
	"encoding/json"
	"math"

	"github.com/mlxc/mlxc/golden/scripted"
)

// oracleTensors is an oracle.safetensors for the scripted model: prompt "The capital
// of France is" twice, three steps, every logit wrong by wrongBy.
func oracleTensors(wrongBy float32) []byte {
	prompt, tokens := []int32{504, 3575, 282, 4649, 314}, []int32{7042, 30, scripted.EOS}
	logits := make([]float32, len(tokens)*scripted.Vocab)
	for i := range logits {
		logits[i] = wrongBy
	}
	for step, token := range tokens {
		logits[step*scripted.Vocab+int(token)] += 8
	}
	type entry struct {
		DType   string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets [2]int `json:"data_offsets"`
	}
	header := map[string]entry{}
	var data []byte
	add := func(name, dtype string, shape []int, append func([]byte) []byte) {
		from := len(data)
		data = append(data)
		header[name] = entry{dtype, shape, [2]int{from, len(data)}}
	}
	for _, run := range []string{"short", "long"} {
		add("prompt_"+run, "I32", []int{len(prompt)}, int32s(prompt))
		add("tokens_"+run, "I32", []int{len(tokens)}, int32s(tokens))
		add("logits_"+run, "F32", []int{len(tokens), scripted.Vocab}, func(b []byte) []byte {
			for _, v := range logits {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
			return b
		})
	}
	text, _ := json.Marshal(header)
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), data...)
}

func int32s(v []int32) func([]byte) []byte {
	return func(b []byte) []byte {
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
		return b
	}
}
