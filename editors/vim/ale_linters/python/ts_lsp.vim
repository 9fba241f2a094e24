" ts-lsp as a linter of ALE. With this folder's parent in 'runtimepath', and
"     let g:ale_linters = {'python': ['ts_lsp']}
" in the vimrc, Python files are looked at. Settings: let g:ale_python_ts_lsp_config = {'scope': 'all'}

call ale#Set('python_ts_lsp_executable', 'ts-lsp')
call ale#Set('python_ts_lsp_config', {})

" ALE takes columns for bytes, and sends them so, whatever the protocol says.
function! ale_linters#python#ts_lsp#Options(buffer) abort
    return {
    \   'positionEncoding': 'utf-8',
    \   'settings': ale#Var(a:buffer, 'python_ts_lsp_config'),
    \}
endfunction

call ale#linter#Define('python', {
\   'name': 'ts_lsp',
\   'lsp': 'stdio',
\   'executable': {b -> ale#Var(b, 'python_ts_lsp_executable')},
\   'command': '%e server',
\   'project_root': function('ale#python#FindProjectRoot'),
\   'initialization_options': function('ale_linters#python#ts_lsp#Options'),
\   'completion_filter': 'ale#completion#python#CompletionItemFilter',
\})
