"""The trained network without PyTorch: reading its weights, and evaluating it in compiled code."""
