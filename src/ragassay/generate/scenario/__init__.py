"""From a schema of a field's documents to documents, questions and answers that agree by construction (RAGEval)."""
