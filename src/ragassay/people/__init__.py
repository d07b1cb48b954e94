"""People judge, agree, and mend: their annotations, and how far a judge agrees with them."""
