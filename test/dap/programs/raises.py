def fail():
    raise ValueError("caught")  # caught here


try:
    fail()
except ValueError:
    pass
raise RuntimeError("not caught")  # uncaught here
