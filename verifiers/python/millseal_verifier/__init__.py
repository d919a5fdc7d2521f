"""Verifies proof bundles of Millseal and watches its logs."""
