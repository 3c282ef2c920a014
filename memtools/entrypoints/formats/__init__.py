"""What a check found, in the forms that forges read; one module each, values in, text out."""
