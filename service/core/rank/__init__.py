"""Rank: every leaf of a value gets a weight (what it is worth) and a price (weight / cost^0.8)."""

from service.core.rank.build import Builder as Builder
from service.core.rank.lens import Lens as Lens, lens as lens
from service.core.rank.nodes import (
    Arr as Arr,
    Leaf as Leaf,
    Node as Node,
    Obj as Obj,
    Seq as Seq,
    Table as Table,
    Text as Text,
)
