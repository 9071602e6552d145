// Package elf loads the shared objects that IREE's llvm-cpu backend embeds in a
// module: position-independent x86-64 ELF64 files without imports, thread-local
// storage or initialisers, whose only relocations are R_X86_64_RELATIVE. It is a
// loader for these and refuses every other file by name of what it has.
package elf
