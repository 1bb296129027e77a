"""The forms a tool result comes in: one module per form, each turns a text into values or declines with None."""
