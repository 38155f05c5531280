"""Joins characters that a server cut in two: JavaScript and Java count UTF-16 units, and JSON lets halves through."""


class SurrogatePairs:
    """Holds back the first half of a character until its second half comes; one for each text that grows."""

    def __init__(self) -> None:
        self._half = ""

    @property
    def has_half(self) -> bool:
        """Whether a half is held back."""
        return bool(self._half)

    def joined(self, text: str) -> str:
        """`text` with what was held back before it, less a first half at its end; "" holds on to that."""
        if not text or (text.isascii() and not self._half):
            return text
        text = self._half + text
        self._half = text[-1] if "\ud800" <= text[-1] <= "\udbff" else ""
        text = text[:-1] if self._half else text
        if any("\ud800" <= each <= "\udbff" for each in text):
            return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
        return text

    def rest(self) -> str:
        """The half that was held back, once nothing more comes."""
        half, self._half = self._half, ""
        return half
