"""Questions of fact from passages of any English prose, by general transformations of a parse."""
