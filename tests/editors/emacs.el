;;; A session in Emacs with eglot: see sessions.py for what is done and told.  -*- lexical-binding: t; -*-

(setq load-prefer-newer t python-indent-guess-indent-offset nil)
(require 'cl-lib)
(load (expand-file-name "emacs/ts-lsp.el" (getenv "EDITORS")))
(setq eglot-sync-connect 30 eglot-confirm-server-initiated-edits nil eglot-autoshutdown nil)
(setq-default eglot-workspace-configuration `(:ts-lsp (:ignore [,(getenv "IGNORED")])))

(defmacro seen-wait (what form)
  "The value of FORM once it is not nil."
  `(let ((deadline (+ (float-time) 30)) found)
     (while (not (setq found ,form))
       (when (> (float-time) deadline) (error "Nothing came: %s" ,what))
       (accept-process-output nil 0.02))
     found))

(defun seen-go-to (text)
  (goto-char (point-min))
  (search-forward text))

(defun seen-list (list)
  "JSON has vectors where Emacs has lists."
  (vconcat list))

(defun seen-flymake ()
  "Nobody is idle in a batch, so flymake is asked."
  (flymake-start)
  (flymake-diagnostics))

(defun seen-diagnostics ()
  (seen-list
   (mapcar (lambda (found)
             (let ((data (flymake-diagnostic-data found)))
               `((line . ,(save-excursion
                            (goto-char (flymake-diagnostic-beg found))
                            (buffer-substring-no-properties (line-beginning-position) (line-end-position))))
                 (marked . ,(buffer-substring-no-properties (flymake-diagnostic-beg found)
                                                            (flymake-diagnostic-end found)))
                 (code . ,(plist-get (alist-get 'eglot-lsp-diag data) :code))
                 (message . ,(plist-get (alist-get 'eglot-lsp-diag data) :message)))))
           (seen-wait "diagnostics" (seen-flymake)))))

(defun seen-hover ()
  (seen-go-to "copied")
  (backward-char)
  (let (told)
    (eglot-hover-eldoc-function (lambda (text &rest _) (setq told text)))
    (substring-no-properties (seen-wait "hover" told))))

(defun seen-completions ()
  (seen-go-to "; copied\n")
  (backward-char)
  (insert ".app")
  (pcase-let* ((`(,start ,end ,table . ,_) (eglot-completion-at-point))
               (found (all-completions (buffer-substring-no-properties start end) table)))
    (delete-region (- (point) 4) (point))
    (seen-list (mapcar #'substring-no-properties found))))

(defun seen-fixed ()
  (goto-char (flymake-diagnostic-beg (car (seen-wait "diagnostics again" (seen-flymake)))))
  (let* ((actions (eglot-code-actions (point) (point) "quickfix" nil))
         (wanted (cl-find-if (lambda (each) (string-search "0.0" (plist-get each :title))) actions)))
    (eglot-execute (eglot-current-server) wanted))
  (seen-wait "the fix" (save-excursion (goto-char (point-min)) (search-forward "0.0" nil t)))
  (eglot--signal-textDocument/didChange)
  (seen-wait "no diagnostics" (not (seen-flymake)))
  (seen-go-to "0.0")
  (buffer-substring-no-properties (line-beginning-position) (line-end-position)))

(defun seen-overlays ()
  (cl-remove-if-not (lambda (each) (overlay-get each 'eglot--inlay-hint))
                    (overlays-in (point-min) (point-max))))

(defun seen-hint (overlay)
  "Eglot hangs a hint on the character before or behind it."
  (let* ((after (overlay-get overlay 'after-string))
         (place (if after (overlay-end overlay) (overlay-start overlay))))
    (save-excursion
      (goto-char place)
      `((before . ,(buffer-substring-no-properties (line-beginning-position) place))
        (label . ,(substring-no-properties (or after (overlay-get overlay 'before-string))))))))

(defun seen-hints ()
  (eglot-inlay-hints-mode 1)
  (eglot--update-hints-1 (point-min) (point-max))
  (seen-wait "hints" (seen-overlays))
  (seen-list (mapcar #'seen-hint (cl-sort (seen-overlays) #'< :key #'overlay-start))))

(defun seen-text ()
  (seen-go-to "copied")
  (backward-char)
  (eglot-rename "fresh")
  (buffer-substring-no-properties (point-min) (point-max)))

(defun seen-session ()
  (find-file (getenv "OPENED"))
  (unless (derived-mode-p 'python-base-mode) (python-mode))
  (apply #'eglot--connect (eglot--guess-contact))
  (seen-wait "a connection" (and (eglot-current-server) eglot--managed-mode))
  (let ((seen `((diagnostics . ,(seen-diagnostics))
                (hover . ,(seen-hover))
                (completions . ,(seen-completions))
                (fixed . ,(seen-fixed))
                (hints . ,(seen-hints))
                (text . ,(seen-text))
                (encoding . ,(plist-get (eglot--capabilities (eglot-current-server)) :positionEncoding)))))
    (eglot-shutdown (eglot-current-server) nil 10)
    (set-buffer-modified-p nil)
    (let ((coding-system-for-write 'utf-8-unix))
      (write-region (json-serialize seen) nil (getenv "SEEN")))))

(condition-case problem
    (seen-session)
  (error
   (princ (format "%S\n" problem))
   (ignore-errors
     (with-current-buffer (jsonrpc-events-buffer (eglot-current-server)) (princ (buffer-string))))
   (kill-emacs 1)))

;;; emacs.el ends here
