"""Reading: from received bytes to what they say, however they are wrapped."""

from service.core.forms.reading import Reading
from service.core.read.embedded import Embedded, Text, leaf, plain, unwrap
from service.core.read.ladder import read, read_text

__all__ = ["Embedded", "Reading", "Text", "leaf", "plain", "read", "read_text", "unwrap"]
