import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "site-packages"))

import trainer

trainer.fit(2)  # FIT
print("over")
