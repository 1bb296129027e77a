"""Reading: from received bytes to what they say, however they are wrapped."""

from service.core.forms.reading import Reading
from service.core.read.ladder import read

__all__ = ["Reading", "read"]
