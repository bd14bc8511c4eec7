"""The live loop: a source of pictures, the tracker, the match and the pages, none of which stops another."""
