"""Pure arithmetic: values in, values out. One step per file; its one public name is the file's name."""
