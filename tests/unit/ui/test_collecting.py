"""The collector is put off once and put back to what it was."""

import gc

from thinkpane.ui.collecting import Collecting


def test_it_is_put_back_to_what_it_was() -> None:
    usual = gc.get_threshold()
    collecting = Collecting()
    collecting.resume()
    assert gc.get_threshold() == usual
    try:
        collecting.put_off()
        collecting.put_off()
        assert gc.get_threshold() != usual
    finally:
        collecting.resume()
    assert gc.get_threshold() == usual
    assert gc.isenabled()
