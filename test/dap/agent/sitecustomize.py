import builtins

builtins.normscope_sitecustomize = True
