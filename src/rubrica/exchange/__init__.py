"""Reading and writing files: tables, Excel sheets for annotators, exports of judgements."""
