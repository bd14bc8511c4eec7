"""Where a figure stood and which way it faced during a still stretch, with its error bar."""
