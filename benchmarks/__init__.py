"""How fast and how large the parts are, beside a peer measured in the same run where there is one."""
