"""Where pictures come from: files, folders, cameras, streams, behind one contract."""
