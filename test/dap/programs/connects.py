import sys
import debugpy

debugpy.connect(("127.0.0.1", int(sys.argv[1])))
debugpy.wait_for_client()
value = 42
print("connected", value)  # attached
