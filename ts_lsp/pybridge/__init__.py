"""Python around compiled code: where torch and other packages define things, and what they say of them."""
