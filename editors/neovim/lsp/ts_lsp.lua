--- ts-lsp, for Neovim 0.11 or newer: put this file into `lsp/` of your configuration, and `vim.lsp.enable("ts_lsp")`
--- into your init.lua. Settings of your own go into `vim.lsp.config("ts_lsp", { settings = { ["ts-lsp"] = { ... } } })`.

---@type vim.lsp.Config
return {
  cmd = { "ts-lsp", "server" },
  filetypes = { "python" },
  root_markers = { "pyproject.toml", "setup.py", "setup.cfg", ".git" },
}
