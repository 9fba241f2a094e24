"""How far `ts-lsp dump` agrees with the real compiler on PyTorch's own TorchScript tests."""
