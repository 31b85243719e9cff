"""`python -m omphalos run app.py`: scripts are run by this Python."""

import os
import sys

from omphalos import main

here = os.path.dirname(sys.executable)
os.environ["PATH"] = os.pathsep.join(filter(None, [here, os.environ.get("PATH", os.defpath)]))
sys.exit(main())
