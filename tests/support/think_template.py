"""A template of ChatML that replays thinking, for tests with a real server."""

from typing import Final

TURNS: Final = """\
{%- for m in messages -%}
<|im_start|>{{ m.role }}
{% if m.role == 'assistant' and m.reasoning_content %}<think>
{{ m.reasoning_content }}
</think>

{% endif %}{{ m.content }}<|im_end|>
{% endfor -%}
{%- if add_generation_prompt -%}
<|im_start|>assistant
"""
"""All turns, up to where a reply begins; what opens it comes behind, and the end of its `if`."""

THINK: Final = f"""{TURNS}\
<think>
{{% endif -%}}
"""
"""Every reply begins inside thinking."""
