" A session in Vim with ALE: see sessions.py for what is done and told. ALE has no inlay hints.
set nocompatible hidden encoding=utf-8
let &runtimepath = $EDITORS . '/vim,' . $ALE . ',' . &runtimepath
filetype plugin on
let g:ale_linters = {'python': ['ts_lsp']}
let g:ale_linters_explicit = 1
let g:ale_python_ts_lsp_config = {'ignore': [$IGNORED]}
let g:ale_hover_cursor = 0
let g:ale_hover_to_floating_preview = 0
let g:ale_lint_delay = 0
let s:seen = {}

function! s:fail(what) abort
    call writefile([a:what], $SEEN . '.problem')
    cquit!
endfunction

function! s:wait(what, Condition) abort
    for l:attempt in range(1500)
        if a:Condition()
            return
        endif
        sleep 20m
    endfor
    call s:fail('nothing came: ' . a:what)
endfunction

function! s:found() abort
    return get(get(g:ale_buffer_info, bufnr('%'), {}), 'loclist', [])
endfunction

function! s:diagnostic(index, each) abort
    return {
    \   'line': getline(a:each.lnum),
    \   'marked': strpart(getline(a:each.lnum), a:each.col - 1, a:each.end_col - a:each.col + 1),
    \   'code': a:each.code,
    \   'message': a:each.text,
    \}
endfunction

function! s:diagnose() abort
    call s:wait('diagnostics', {-> !empty(s:found())})
    let s:seen.diagnostics = map(copy(s:found()), function('s:diagnostic'))
endfunction

function! s:previewed() abort
    let l:window = filter(range(1, winnr('$')), 'getwinvar(v:val, "&previewwindow")')
    return empty(l:window) ? '' : join(getbufline(winbufnr(l:window[0]), 1, '$'), "\n")
endfunction

function! s:hover() abort
    call cursor(1, 1)
    call search('copied')
    let g:ale_hover_to_preview = 1
    ALEHover
    call s:wait('hover', {-> !empty(s:previewed())})
    let s:seen.hover = s:previewed()
    pclose
endfunction

" ALE's own function for CTRL-X CTRL-O, which waits for the server.
function! SeenOmni(findstart, base) abort
    let l:result = ale#completion#OmniFunc(a:findstart, a:base)
    if !a:findstart
        let s:seen.completions = map(copy(l:result), 'v:val.word')
    endif
    return l:result
endfunction

function! s:complete() abort
    call cursor(1, 1)
    call search('; copied$')
    setlocal omnifunc=SeenOmni completeopt=menuone,noinsert
    execute "normal! A.app\<C-x>\<C-o>\<C-e>"
    undo
endfunction

function! s:choose(data, items) abort
    let s:offered = [a:data, map(a:items, 'v:val[1]')]
endfunction

function! s:fix() abort
    call s:wait('diagnostics again', {-> !empty(s:found())})
    let l:before = s:found()[0]
    call cursor(l:before.lnum, l:before.col)
    let s:offered = v:null
    call ale#codefix#Execute(0, function('s:choose'))
    call s:wait('code actions', {-> s:offered isnot v:null})
    let l:fixes = filter(copy(s:offered[1]), {index, each -> each.title =~# '0\.0'})
    call ale#codefix#ApplyLSPCodeAction(s:offered[0], l:fixes[0])
    call s:wait('the fix', {-> search('0\.0', 'nw') > 0})
    let s:seen.fixed = getline(search('0\.0', 'nw'))
    call ale#Queue(0, 'lint_file')
    call s:wait('no diagnostics', {-> empty(s:found())})
endfunction

function! s:rename() abort
    call cursor(1, 1)
    call search('copied')
    function! ale#util#Input(message, value, ...) abort
        return 'fresh'
    endfunction
    ALERename
    call s:wait('the new name', {-> search('copied', 'nw') == 0})
    let s:seen.text = join(getline(1, '$'), "\n") . "\n"
endfunction

try
    execute 'edit' fnameescape($OPENED)
    runtime plugin/ale.vim
    runtime autoload/ale/util.vim
    set filetype=python
    call ale#Queue(0, 'lint_file')
    call s:diagnose()
    call s:hover()
    call s:complete()
    call s:fix()
    call s:rename()
    call writefile([json_encode(s:seen)], $SEEN)
    qall!
catch
    call s:fail(v:exception . ' at ' . v:throwpoint)
endtry
