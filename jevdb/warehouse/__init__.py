"""The warehouse file: opened, created, upgraded and checked; its SQL and its ledger."""
