"""What each command does: a folder for each part of the way from documents to a report."""
