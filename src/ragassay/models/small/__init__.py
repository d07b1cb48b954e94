"""The small language model that the package brings along: SmolLM2-135M-Instruct, run by onnxruntime, without torch."""
