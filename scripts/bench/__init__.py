"""Time, CPU and memory of ts-lsp as an editor and a shell see them, beside other servers in the same run.

Figures are printed, never asserted: how they compare is for people to judge, on a machine that is quiet.
"""
