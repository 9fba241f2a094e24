def keyword_arguments(**options):
    return options
