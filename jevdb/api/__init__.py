"""The Python API: `jevdb.open` gives a `Warehouse`, its methods do what commands do."""
