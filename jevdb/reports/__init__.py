"""Reports, exports, calibration in depth and gold revisions: data, then text."""
