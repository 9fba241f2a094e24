"""Differential testing: small random TorchScript functions, judged by the twin and by the real compiler."""
