"""The trained network without PyTorch: reading its weights, and asking it in compiled code."""
