"""Where chunks and their vectors are kept and searched: in memory, on disk, with faiss, in PostgreSQL."""
