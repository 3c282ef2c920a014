"""The search index (tantivy): a derived copy that may lag and is never believed."""
