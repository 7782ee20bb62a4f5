"""The trained network as it is shipped: ONNX, weights as whole numbers, with all that it needs to read and to tell."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic

from rubrica.language.english import CLASSES
from training.network import Network, Shipped

INPUTS = ("ids", "kinds", "first", "last")
OUTPUTS = ("arcs", "labels", "tags", "morphs", "lemmas", "starts")


def exported(network: Network, known: dict[str, list[str]]) -> bytes:
    """The network for one text at a time.

    Weights have 7 bits, not 8: processors without the newest instructions would let sums of two products run over, so
    that parses differed between machines.
    """
    file = io.BytesIO()
    network.eval()
    example = tuple(torch.tensor(one) for one in ([0, 1, 2, 3, 0], [0, 0, 1, 0, 0], [1, 3], [2, 3]))
    axes = {name: {0: "pieces" if name in {"ids", "kinds"} else "words"} for name in (*INPUTS, *OUTPUTS)}
    axes["arcs"][1] = axes["labels"][1] = "heads"
    names = {"input_names": INPUTS, "output_names": OUTPUTS, "dynamic_axes": axes}
    torch.onnx.export(Shipped(network), example, file, **names, opset_version=17, dynamo=False)
    with tempfile.TemporaryDirectory() as folder:
        whole, small = Path(folder, "whole.onnx"), Path(folder, "small.onnx")
        whole.write_bytes(file.getvalue())
        quantize_dynamic(whole, small, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
        model = onnx.load(small)
    onnx.helper.set_model_props(model, {CLASSES: json.dumps(known, ensure_ascii=False)})
    return model.SerializeToString()
