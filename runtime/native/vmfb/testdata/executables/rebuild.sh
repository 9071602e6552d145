#!/bin/sh
# Compiles add.mlir for every driver that package vmfb reads executables of, with the
# iree-compile 3.13.0 of `make deps`.
set -eu
cd "$(dirname "$0")"
compile=../../../../../build/venv/bin/iree-compile
for target in cuda:cuda metal:metal vulkan:vulkan "rocm:hip --iree-rocm-target=gfx942"; do
  # shellcheck disable=SC2086 # the flags of a target are words
  "$compile" --iree-input-type=stablehlo --iree-hal-target-device=${target#*:} --iree-vm-bytecode-module-strip-source-map \
    --iree-vm-emit-polyglot-zip=false add.mlir -o "${target%%:*}.vmfb"
done
