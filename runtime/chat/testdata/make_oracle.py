#!/usr/bin/env python3
"""Writes what Python's jinja2, set up as transformers sets it up, makes of the
templates here.

    python3 -m venv venv && venv/bin/pip install jinja2==3.1.6
    venv/bin/python make_oracle.py

cases.txt              small templates, each after a line "---- name"; variables.json
                       are their variables
cases.oracle.json      what they print, or the kind of error
templates/*.jinja      chat templates; conversations.json what they are given
templates.oracle.json  the prompts, or what raise_exception says
"""

import datetime
import json
import pathlib

import jinja2
import jinja2.ext
from jinja2.sandbox import ImmutableSandboxedEnvironment

HERE = pathlib.Path(__file__).parent
NOW = datetime.datetime(2026, 3, 7, 9, 5, 2, 123456)


class Generation(jinja2.ext.Extension):
    """transformers' tag: a block that prints what is inside."""

    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return jinja2.nodes.CallBlock(self.call_method("_block"), [], [], body).set_lineno(line)

    def _block(self, caller):
        return caller()


class Raised(jinja2.TemplateError):
    pass


def environment():
    def tojson(x, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(x, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)

    def raise_exception(message):
        raise Raised(message)

    class Namespace(jinja2.utils.Namespace):
        def __init__(*args, **kwargs):
            attrs = dict(*args[1:], **kwargs)
            for name in attrs:
                Namespace.check(name)
            jinja2.utils.Namespace.__init__(args[0], attrs)

        def __setitem__(self, name, value):
            Namespace.check(name)
            jinja2.utils.Namespace.__setitem__(self, name, value)

        @staticmethod
        def check(name):
            if name.startswith("_"):
                raise jinja2.exceptions.SecurityError(name)

    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[Generation, jinja2.ext.loopcontrols])
    env.filters["tojson"] = tojson
    env.globals["raise_exception"] = raise_exception
    env.globals["strftime_now"] = NOW.strftime
    env.globals["namespace"] = Namespace
    return env


def outcome(template, variables):
    try:
        return {"text": environment().from_string(template).render(**variables)}
    except Raised as e:
        return {"raised": str(e)}
    except jinja2.TemplateSyntaxError as e:
        return {"error": "syntax", "detail": str(e)}
    except Exception as e:
        return {"error": "run", "detail": f"{type(e).__name__}: {e}"}


def read_cases():
    cases, name, lines = [], None, []
    for line in (HERE / "cases.txt").read_text(encoding="utf-8").split("\n") + ["---- "]:
        if line.startswith("---- "):
            if name:
                cases.append((name, "\n".join(lines)))
            name, lines = line[5:], []
        else:
            lines.append(line)
    return cases


def message(m, special):
    """What apply_chat_template does to a message before the template sees it."""
    m = {k: v for k, v in m.items() if v is not None}
    for name in ("reasoning_content", "thinking", "reasoning"):
        if m.get(name) is not None:
            m = {"thinking": m[name], **m, "reasoning_content": m[name]}
            break
    calls = []
    for call in m.get("tool_calls", []):
        f = call.get("function", call)
        if isinstance(f.get("arguments"), str):  # mlxc's own rule: a string is read as JSON
            f = {**f, "arguments": json.loads(f["arguments"] or "{}")}
        calls.append({**call, "function": f} if "function" in call else f)
    if calls:
        m["tool_calls"] = calls
    return m


def rendering(template, special, c):
    return outcome(template, {
        **special, **c.get("kwargs", {}),
        "messages": [message(m, special) for m in c["messages"]],
        "tools": c.get("tools"), "documents": c.get("documents"),
        "add_generation_prompt": c.get("add_generation_prompt", False),
    })


def write(name, value):
    (HERE / name).write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main():
    variables = json.loads((HERE / "variables.json").read_text(encoding="utf-8"))
    write("cases.oracle.json", [{"name": n, **outcome(t, variables)} for n, t in read_cases()])

    given = json.loads((HERE / "conversations.json").read_text(encoding="utf-8"))
    prompts = []
    for path in sorted((HERE / "templates").glob("*.jinja")):
        template = path.read_text(encoding="utf-8")
        for c in given["conversations"]:
            prompts.append({"template": path.name, "conversation": c["name"], **rendering(template, given["special"], c)})
    write("templates.oracle.json", prompts)


if __name__ == "__main__":
    main()
