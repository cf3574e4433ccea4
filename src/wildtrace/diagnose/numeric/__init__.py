"""The arithmetic under the statistics: resampling, correlation, agreement, least squares. numpy alone, no I/O."""
