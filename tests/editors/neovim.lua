-- A session in Neovim, by its own keys where there are some: see sessions.py for what is done and told.
-- It is a coroutine, so that Neovim goes on taking keys and messages while something is waited for.
vim.g.loaded_python3_provider = 0
local seen = {}
local session

local function wait(what, condition)
  local deadline = vim.uv.now() + 30000
  while true do
    local found = condition()
    if found then return found end
    if vim.uv.now() > deadline then error("nothing came: " .. what, 0) end
    vim.defer_fn(function() coroutine.resume(session) end, 20)
    coroutine.yield()
  end
end

local function go_to(text)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search(text, "c") > 0, text)
end

local function press(keys) vim.api.nvim_feedkeys(vim.keycode(keys), "n", false) end

local function marked(diagnostic)
  local text = vim.api.nvim_buf_get_text(
    0, diagnostic.lnum, diagnostic.col, diagnostic.end_lnum, diagnostic.end_col, {})
  return { line = vim.fn.getline(diagnostic.lnum + 1), marked = table.concat(text, "\n"), code = diagnostic.code,
    message = diagnostic.message }
end

local function look_at_diagnostics()
  wait("diagnostics", function() return #vim.diagnostic.get(0) > 0 end)
  seen.diagnostics = vim.tbl_map(marked, vim.diagnostic.get(0))
end

local function floating_text()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
    end
  end
end

local function hover()
  go_to("copied")
  vim.lsp.buf.hover()
  seen.hover = wait("hover", floating_text)
  vim.cmd("fclose!")
end

local function complete()
  vim.o.completeopt = "menuone,noselect"
  go_to("; copied")
  press("A.app<C-x><C-o>")
  wait("completions", function() return vim.fn.pumvisible() == 1 end)
  seen.completions = vim.tbl_map(function(item) return item.abbr end, vim.fn.complete_info({ "items" }).items)
  press("<C-e><Esc>u")
  wait("the text as it was", function() return vim.fn.mode() == "n" and vim.fn.search("; copied$", "nw") > 0 end)
end

local function fix()
  local before = vim.diagnostic.get(0)[1]
  vim.api.nvim_win_set_cursor(0, { before.lnum + 1, before.col })
  vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.title:find("0.0", 1, true) end })
  wait("the fix", function() return vim.fn.search("0\\.0", "nw") > 0 end)
  wait("no diagnostics", function() return #vim.diagnostic.get(0) == 0 end)
  seen.fixed = vim.fn.getline(vim.fn.search("0\\.0", "nw"))
end

local function shown(hint)
  local place, label = hint.inlay_hint.position, hint.inlay_hint.label
  local client = assert(vim.lsp.get_client_by_id(hint.client_id))
  local line = vim.api.nvim_buf_get_lines(0, place.line, place.line + 1, false)[1]
  local column = vim.str_byteindex(line, client.offset_encoding, place.character, false)
  local text = type(label) == "string" and label or table.concat(vim.tbl_map(function(p) return p.value end, label))
  return { before = line:sub(1, column), label = text }
end

local function hints()
  vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
  wait("hints", function()
    vim.cmd.redraw()
    return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0
  end)
  seen.hints = vim.tbl_map(shown, vim.lsp.inlay_hint.get({ bufnr = 0 }))
end

local function rename()
  go_to("copied")
  vim.lsp.buf.rename("fresh")
  wait("the new name", function() return vim.fn.search("copied", "nw") == 0 end)
  seen.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"
end

local function main()
  vim.opt.runtimepath:prepend(vim.env.EDITORS .. "/neovim")
  vim.lsp.config("ts_lsp", { settings = { ["ts-lsp"] = { ignore = { vim.env.IGNORED } } } })
  vim.lsp.enable("ts_lsp")
  vim.cmd.edit(vim.env.OPENED)
  vim.bo.filetype = "python"
  look_at_diagnostics()
  hover()
  complete()
  fix()
  hints()
  rename()
  local client = vim.lsp.get_clients({ name = "ts_lsp" })[1]
  seen.encoding = client.offset_encoding
  client:stop()
  wait("the end", function() return client:is_stopped() end)
end

session = coroutine.create(function()
  local succeeded, problem = xpcall(main, debug.traceback)
  if not succeeded then
    io.stderr:write(tostring(problem) .. "\n")
    vim.cmd("cquit 1")
  end
  vim.fn.writefile({ vim.json.encode(seen) }, vim.env.SEEN)
  vim.cmd("qall!")
end)
vim.schedule(function() coroutine.resume(session) end)
