"""The engine every rulebook runs on: requests, answers, facts, log, undo and replay."""
