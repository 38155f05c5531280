"""The variants that are known, and which one a server is. Source: the wire-format notes, sections 2 to 7 and 12.

Thinking that was switched off or on, an effort and its spelling are sent as the server's own field; where a name of an
effort means something else on a server, it maps that itself and the word goes out as it is.
"""

from urllib.parse import urlsplit

from thinkpane.endpoints.variants import GENERIC, Variant
from thinkpane.errors import Problem, ThinkpaneError
from thinkpane.formats.json_values import JsonObject

_TYPE_ON: JsonObject = {"thinking": {"type": "enabled"}}
_TYPE_OFF: JsonObject = {"thinking": {"type": "disabled"}}
_EFFORT_OFF: JsonObject = {"reasoning_effort": "none"}
_LEVELS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")

VARIANTS = (
    Variant(
        "openai",
        "OpenAI",
        hosts=("api.openai.com",),
        on={},
        off=_EFFORT_OFF,
        efforts=_LEVELS,
        token_limit="max_completion_tokens",
        prefill="none",
        history="",
        arrives=(),
        lacks=("top_k", "min_p", "repetition_penalty"),
    ),
    Variant(
        "deepseek",
        "DeepSeek",
        hosts=("api.deepseek.com",),
        on=_TYPE_ON,
        off=_TYPE_OFF,
        efforts=("minimal", "low", "medium", "high", "xhigh", "max", "ultra"),
        token_limit="max_tokens",
        prefill="prefix",
        prefill_path="/beta",
        history_with_calls=True,
        ignored=("temperature", "presence_penalty", "frequency_penalty"),
    ),
    Variant(
        "zai",
        "Z.AI / GLM",
        other_names=("glm", "z.ai", "zhipu", "bigmodel"),
        hosts=("api.z.ai", "bigmodel.cn"),
        on=_TYPE_ON,
        off=_TYPE_OFF,
        always_on=r"glm-5\.3",
        efforts=("low", "medium", "high", "max"),
        token_limit="max_tokens",
        history_kept={"thinking": {"clear_thinking": False}},
        lacks=("frequency_penalty", "presence_penalty", "logit_bias", "n", "logprobs", "top_logprobs"),
        over_zero=("temperature", "top_p"),
        stream_usage=False,
        raw=False,
    ),
    Variant(
        "qwen",
        "Qwen on DashScope",
        other_names=("dashscope", "alibaba", "modelstudio"),
        hosts=("dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "dashscope-us.aliyuncs.com"),
        on={"enable_thinking": True},
        off={"enable_thinking": False},
        always_on=r"-thinking|^qwq",
        effort="",
        budget="thinking_budget",
        token_limit="max_tokens",
        prefill="partial",
    ),
    Variant(
        "kimi",
        "Moonshot Kimi",
        other_names=("moonshot", "moonshotai"),
        hosts=("api.moonshot.ai", "api.moonshot.cn"),
        on=_TYPE_ON,
        off=_TYPE_OFF,
        always_on=r"kimi-k3|k2\.7-code|k3\.1",
        efforts=("low", "high", "max"),
        token_limit="max_completion_tokens",
        prefill="partial",
        raw=False,
    ),
    Variant(
        "minimax",
        "MiniMax",
        hosts=("api.minimax.io", "api.minimaxi.com"),
        on={"thinking": {"type": "adaptive"}},
        off=_TYPE_OFF,
        always={"reasoning_split": True},
        always_on=r"(?i)minimax-m2",
        effort="",
        token_limit="max_completion_tokens",
        history="reasoning_details",
        arrives=("reasoning_details", "reasoning_content", "think tags"),
        lacks=("frequency_penalty", "presence_penalty", "seed", "response_format", "tool_choice", "logit_bias"),
        over_zero=("temperature",),
        raw=False,
    ),
    Variant(
        "openrouter",
        "OpenRouter",
        hosts=("openrouter.ai",),
        on={"reasoning": {"enabled": True}},
        off={"reasoning": {"effort": "none"}},
        effort="reasoning.effort",
        efforts=("none", "minimal", "low", "medium", "high", "xhigh"),
        budget="reasoning.max_tokens",
        token_limit="max_tokens",
        prefill="trailing",
        history="reasoning_details",
        arrives=("reasoning", "reasoning_details"),
    ),
    Variant(
        "groq",
        "Groq",
        hosts=("api.groq.com",),
        on={"reasoning_format": "parsed"},
        off=_EFFORT_OFF,
        efforts=("none", "default", "low", "medium", "high"),
        token_limit="max_completion_tokens",
        history="reasoning",
        arrives=("reasoning", "think tags"),
        lacks=("logprobs", "top_logprobs", "logit_bias", "top_k", "min_p", "repetition_penalty"),
        raw=False,
    ),
    Variant(
        "mistral",
        "Mistral",
        hosts=("api.mistral.ai",),
        on={"reasoning_effort": "high"},
        off=_EFFORT_OFF,
        efforts=("none", "minimal", "low", "medium", "high", "xhigh"),
        token_limit="max_tokens",
        prefill="prefix",
        history="content",
        arrives=("content parts",),
        renames={"seed": "random_seed"},
        lacks=("logit_bias", "logprobs", "top_logprobs", "top_k", "min_p", "repetition_penalty", "user"),
        stream_usage=False,
        raw=False,
    ),
    Variant(
        "vllm",
        "vLLM",
        on={"chat_template_kwargs": {"enable_thinking": True, "thinking": True}},
        off={"chat_template_kwargs": {"enable_thinking": False, "thinking": False}},
        efforts=_LEVELS,
        budget="thinking_token_budget",
        template_variables=True,
        prefill="continue_final_message",
        arrives=("reasoning", "reasoning_content", "think tags"),
    ),
    Variant(
        "sglang",
        "SGLang",
        on={"chat_template_kwargs": {"enable_thinking": True, "thinking": True}},
        off={"chat_template_kwargs": {"enable_thinking": False, "thinking": False}},
        efforts=_LEVELS,
        template_variables=True,
        prefill="continue_final_message",
        arrives=("reasoning_content", "think tags"),
    ),
    Variant(
        "llamacpp",
        "llama.cpp",
        other_names=("llama.cpp", "llama-server"),
        on={"chat_template_kwargs": {"enable_thinking": True}},
        off={"chat_template_kwargs": {"enable_thinking": False}},
        budget="reasoning_budget_tokens",
        template_variables=True,
        prefill="trailing",
        arrives=("reasoning_content", "think tags"),
    ),
    Variant(
        "lmstudio",
        "LM Studio",
        other_names=("lm-studio", "lm studio"),
        token_limit="max_tokens",
        arrives=("reasoning", "reasoning_content", "think tags"),
        lacks=("tool_choice",),
    ),
    Variant(
        "ollama",
        "Ollama (/v1)",
        on={"reasoning_effort": "medium"},
        off=_EFFORT_OFF,
        efforts=("none", "minimal", "low", "medium", "high", "max", "xhigh", "ultra"),
        token_limit="max_tokens",
        prefill="trailing",
        history="reasoning",
        arrives=("reasoning",),
        lacks=("tool_choice", "logit_bias", "n", "user"),
        raw=False,
    ),
)
"""All of them; what nobody could verify stays at the default that changes nothing."""


def variant_named(name: str) -> Variant:
    """The variant of that name in any spelling, "" = the generic one. Raises ThinkpaneError (kind "variant")."""
    wanted = name.strip().lower().replace("_", "-")
    if wanted in ("", "generic", "openai-chat"):
        return GENERIC
    for variant in VARIANTS:
        if wanted == variant.name or wanted in variant.other_names:
            return variant
    known = ", ".join(variant.name for variant in VARIANTS)
    raise ThinkpaneError(Problem("variant", f"There is no server variant “{name}”; there are {known}."))


def variant_for(base_url: str) -> Variant:
    """The variant of a well-known address, the generic one for every other."""
    try:
        host = (urlsplit(base_url if "://" in base_url else "https://" + base_url).hostname or "").lower()
    except ValueError:
        return GENERIC
    for variant in VARIANTS:
        if any(host == each or host.endswith("." + each) for each in variant.hosts):
            return variant
    return GENERIC
