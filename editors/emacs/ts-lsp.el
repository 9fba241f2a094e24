;;; ts-lsp.el --- TorchScript in Python files, by eglot  -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "29.1"))
;; Version: 0.1.0
;; Keywords: languages, tools

;;; Commentary:

;; Needs the command `ts-lsp' (pip install ts-lsp).  Load this file, and `M-x eglot' in a Python file:
;;
;;     (load "/path/to/ts-lsp.el")
;;     (add-hook 'python-base-mode-hook #'eglot-ensure)
;;
;; Settings: (setq-default eglot-workspace-configuration '(:ts-lsp (:scope "all")))

;;; Code:

(require 'eglot)

(defcustom ts-lsp-command '("ts-lsp" "server")
  "The program that is the language server, and its arguments."
  :type '(repeat string)
  :group 'eglot)

(defun ts-lsp-contact (&rest _)
  "What eglot starts: `ts-lsp-command' as it stands then."
  ts-lsp-command)

(add-to-list 'eglot-server-programs '((python-mode python-ts-mode) . ts-lsp-contact))

(provide 'ts-lsp)

;;; ts-lsp.el ends here
