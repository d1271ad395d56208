"""What the debugger shows of tensors: one line each, and rows when they are expanded.

Nothing here imports a framework: a tensor can only be there where its framework is. Nothing calls
``repr`` or a property of the person's object, draws random numbers, or adds to an autograd graph.
"""
