# SPDX-License-Identifier: MIT
"""Instruction forms: one alternative of a row's pattern with operands, as a few lines of PTX that store the result.

Registers hold untyped bits (.b16, .b32, .b64), which PTX accepts for every type of that size.
"""
from dataclasses import dataclass, field

from . import exclusions, numbers, patterns

FORM_LIMIT = 100  # combinations of a pattern's groups; above it, a selection that covers every pair of alternatives
LOOKUP_TABLES = ["0x80", "0xfe", "0x96", "0xe8", "0xca", "0x1d", "0x00", "0xff"]
EIGHT_BITS = ("e4m3x2", "e5m2x2")
SMALLER = ("e2m1x2", "e2m3x2", "e3m2x2")
# Of d, a and b of a video instruction; the source text has them behind the operands.
SELECTORS = {"2": [("h0", "h10", "h32"), ("h1", "h02", "h31"), ("", "h23", "h11"), ("h10", "h30", "h12")],
             "4": [("b20", "b7654", "b0123"), ("b3", "b0426", ""), ("b210", "b1111", "b7531"), ("", "b7061", "b2345")],
             "scalar": [("b1", "b2", "h0"), ("h0", "", "b3"), ("", "b0", "h1"), ("b3", "h1", "")],
             "scalar into a word": [("", "b0", "h1"), ("", "h1", "b3"), ("", "b1", "b2"), ("", "h0", "h0")]}
CLASSES = {"b": "b8", "h": "b16", "r": "b32", "d": "b64", "p": "pred"}


@dataclass(frozen=True)
class Source:
    """A register that the kernel loads once: 32 values of a pool."""
    pool: str
    column: str
    kind: str  # a key of CLASSES

    @property
    def register(self):
        return "%" + self.pool.replace(".", "_") + "_" + self.column


CARRY = Source("pred", "c", "r")  # the carry flag before addc, subc, madc, as a number: in %carry


@dataclass
class Form:
    label: str
    code: list = field(default_factory=list)     # PTX lines before the stores
    results: list = field(default_factory=list)  # (suffix of the label, register, class)
    sources: list = field(default_factory=list)


@dataclass
class Operand:
    slots: str
    shape: str  # "single", "pair" or "vector"
    type: str


def register_class(type_name):
    if type_name == "pred":
        return "p"
    if type_name in ("f16x2", "bf16x2", "u16x2", "s16x2"):
        return "r"
    width = int("".join(c for c in type_name if c.isdigit()))
    return {8: "h", 16: "h", 32: "r", 64: "d"}[width]


def twice_as_wide(type_name):
    return type_name[0] + str(2 * int(type_name[1:]))


def resolve_type(text, choice):
    if text[0] in "GW" and text[1:].isdigit():
        name = (choice[int(text[1:])] or "").lstrip(".")
        return twice_as_wide(name) if text[0] == "W" else name
    return text


def read_operands(row, choice, with_optional):
    result = []
    for word in row.operands.split():
        if word == "cc" or word.endswith(":cc"):
            continue
        if word.startswith("["):
            if not with_optional:
                continue
            word = word[1:-1]
        slots, type_name = word.rsplit(":", 1)
        shape = "vector" if "{" in slots else "pair" if "|" in slots else "single"
        result.append(Operand("".join(c for c in slots if c in "deabcf"), shape, resolve_type(type_name, choice)))
    return result


def is_video(base):
    """A SIMD video instruction."""
    return base[0] == "v" and base[-1] in "24"


def selectors_for(opcode, variant):
    """Those of d, a and b, for a row of video instructions whose last operand is their number."""
    words = opcode.split(".")
    into_a_word = "add" in words or "sat" in words
    kind = words[0][-1] if is_video(words[0]) else "scalar into a word" if into_a_word else "scalar"
    return SELECTORS[kind][variant % 4]


def source_for(opcode, operand_type, slot, source_count):
    """The pool whose values suit this operand."""
    words = opcode.split(".")
    base = words[0]
    kind = register_class(operand_type)
    if operand_type == "b8":
        kind = "b"  # mov and cvt insist on such registers
    positions = {"shl": "b", "shr": "b", "bfe": "b", "bfi": "c", "bmsk": "a", "shf": "c"}
    lengths = {"bfe": "c", "bfi": "f", "bmsk": "b", "szext": "b"}
    if slot in positions.get(base, ""):
        return Source("count", "b", "r")
    if slot in lengths.get(base, ""):
        return Source("count", "c", "r")
    if operand_type == "pred":
        return Source("pred", slot, "p")
    if base == "fns" and slot in "bc":
        return Source("lane" if slot == "b" else "small", slot, "r")
    if base == "prmt" and slot == "c" and words[-1] != "b32":
        return Source("mode", slot, "r")
    if "u16x2" in words or "s16x2" in words:
        return Source("halves", slot, "r")
    if is_video(base) and slot in "ab":
        return Source("halves" if base[-1] == "2" else "bytes", slot, "r")
    if any(w in EIGHT_BITS for w in words):
        return Source("eights" if operand_type == "b16" else "to_eight." + operand_type, slot, kind)
    if any(w in SMALLER for w in words):
        return Source({"b8": "fours", "b16": "sixes"}.get(operand_type, "to_smaller." + operand_type), slot, kind)
    if "ue8m0x2" in words:
        return Source("eights" if operand_type == "b16" else "to_exponent." + operand_type, slot, kind)
    if base == "cvt" and words[-2:] == ["bf16", "bf16"]:
        return Source("to_integer.bf16", slot, kind)
    if base == "cvt" and operand_type[0] in "us" and any(w in words for w in ("f16", "bf16", "f32", "f64")):
        return Source(f"from_integer.{operand_type[1:]}", slot, kind)
    if base == "cvt" and operand_type in ("f16", "f32", "f64"):
        to_float = [w for w in words[1:] if w in ("f16", "bf16", "tf32", "f32", "f64", "f16x2", "bf16x2")]
        is_narrowing = len(to_float) > 1 and to_float[0] != operand_type and operand_type != "f16"
        return Source(("to_narrow." if is_narrowing else "to_integer.") + operand_type, slot, kind)
    if source_count == 1 and operand_type == "f32":
        is_function = base in ("sin", "cos", "lg2", "ex2", "tanh")
        return Source(("function." if is_function else "single.") + operand_type, slot, kind)
    if source_count == 1 and operand_type == "f64":
        return Source("single.f64", slot, kind)
    if source_count == 1 and operand_type == "f16":
        return Source("to_integer.f16", slot, kind)
    if operand_type in ("f16", "bf16", "f32", "f64", "f16x2", "bf16x2"):
        return Source(operand_type, slot, kind)
    width = "".join(c for c in operand_type if c.isdigit())
    return Source("bits." + width, slot, kind)


def immediate_for(opcode, operand_type, slot):
    base = opcode.split(".")[0]
    if operand_type in ("pred", "f16", "bf16", "f16x2", "bf16x2") or base in ("cvt", "testp") or "x2" in opcode \
            or is_video(base):
        return None
    if operand_type == "f32":
        return "0fC0490FDB"
    if operand_type == "f64":
        return "0dC00921FB54442D18"
    if source_for(opcode, operand_type, slot, 2).pool == "count":
        return "13"
    return "-7" if operand_type[0] == "s" else "0x29"


class FormBuilder:
    """Writes one form. Registers: %h1 %r1 %d1 %p1 ... for results, %h5 ... for copies.

    `alias`: which destination is which source. None: a choice by `variant`. 0: no destination is a source. 1 and above: that
    pair of a destination and a source of its size; build() gives None where the form has fewer."""

    def __init__(self, opcode, operands, variant, alias=None):
        self.opcode, self.operands, self.variant, self.alias = opcode, operands, variant, alias
        self.form = Form("")
        self.destinations = [o for o in operands if "d" in o.slots]
        has_selectors = opcode[0] == "v" and any("f" in o.slots for o in operands)
        self.selectors = selectors_for(opcode, variant) if has_selectors else ()
        self.inputs = [o for o in operands if "d" not in o.slots and not (has_selectors and "f" in o.slots)]
        self.source_count = sum(len(o.slots) for o in self.inputs)

    def build(self, immediate=None, immediate_slot=None):
        base = self.opcode.split(".")[0]
        reads_carry = base in ("addc", "subc", "madc")
        subtracts = base in ("sub", "subc")
        if reads_carry:
            self.form.sources.append(CARRY)
            self.form.code.append("sub.cc.u32 %r9, 0, %carry;" if subtracts else "add.cc.u32 %r9, %carry, -1;")
        texts, result_registers = [], []
        for operand in self.destinations:
            texts.append(self._destination(operand, result_registers))
        for operand in self.inputs:
            names = [self._source(operand, slot, immediate if slot == immediate_slot else None)
                     for slot in operand.slots]
            texts.append("{" + ", ".join(names) + "}" if operand.shape == "vector" else names[0])
        if self.alias is None:
            self._alias(texts, result_registers)
        elif self.alias > 0 and not self._alias_pair(texts, result_registers):
            return None
        for i, selector in enumerate(self.selectors):
            texts[i] += "." + selector if selector else ""
        self.form.code.append(f"{self.opcode} {', '.join(texts)};")
        self.form.results = result_registers
        if ".cc" in self.opcode:
            self.form.code.append(("subc" if subtracts else "addc") + ".u32 %r8, 0, 0;")
            self.form.results = result_registers + [("carry out", "%r8", "r")]
        self.form.label = self._label(immediate, immediate_slot)
        return self.form

    def _destination(self, operand, registers):
        kind = "b" if operand.type == "b8" else register_class(operand.type)
        names = [f"%{kind}{i + 1}" for i in range(len(operand.slots))]
        suffixes = [""] if len(names) == 1 else [f"result {i + 1}" for i in range(len(names))]
        registers += [(suffix, name, kind) for suffix, name in zip(suffixes, names)]
        if operand.shape == "pair":
            return "|".join(names)
        return "{" + ", ".join(names) + "}" if operand.shape == "vector" else names[0]

    def _source(self, operand, slot, immediate):
        if self.opcode.startswith("lop3") and slot == "f":
            return LOOKUP_TABLES[self.variant % len(LOOKUP_TABLES)]
        if immediate is not None:
            return immediate
        source = source_for(self.opcode, operand.type, slot, self.source_count)
        self.form.sources.append(source)
        # A third operand that is a predicate may be negated: every other form does so.
        is_third_of_comparison = self.opcode.startswith("set") and slot == "c"
        return ("!" if is_third_of_comparison and self.variant % 2 else "") + source.register

    def _alias(self, texts, results):
        """In two forms of three the destination is a copy of a source: the first or the last that fits."""
        if self.variant % 3 == 0 or self.destinations[0].shape == "vector" or self.opcode.startswith("mov"):
            return
        kind = results[0][2]
        fitting = [i for i in range(1, len(texts)) if texts[i].startswith("%") and
                   any(s.register == texts[i] and s.kind == kind for s in self.form.sources)]
        if fitting:
            i = fitting[0] if self.variant % 3 == 1 else fitting[-1]
            self.form.code.append(f"mov.{CLASSES[kind]} {results[0][1]}, {texts[i]};")
            texts[i] = results[0][1]

    def _alias_pair(self, texts, results):
        """Makes the destination of pair number `alias` a copy of that pair's source."""
        pairs = [(register, i) for _, register, kind in results for i in range(1, len(texts))
                 if any(s.register == texts[i].lstrip("!") and s.kind == kind for s in self.form.sources)]
        if self.alias > len(pairs):
            return False
        register, i = pairs[self.alias - 1]
        kind = next(kind for _, name, kind in results if name == register)
        self.form.code.append(f"mov.{CLASSES[kind]} {register}, {texts[i].lstrip('!')};")
        texts[i] = ("!" if texts[i].startswith("!") else "") + register
        return True

    def _label(self, immediate, immediate_slot):
        extras = []
        for operand in self.operands:
            if operand.shape == "pair":
                extras.append("d|e")
            elif operand.shape == "vector":
                extras.append("{" + ",".join(operand.slots) + "}" + operand.type)
        if self.opcode.startswith("lop3"):
            extras.append(LOOKUP_TABLES[self.variant % len(LOOKUP_TABLES)])
        if self.opcode.startswith("set") and "c" in "".join(o.slots for o in self.inputs):
            extras.append("!c" if self.variant % 2 else "c")
        extras += [f"{slot}.{selector}" for slot, selector in zip("dab", self.selectors) if selector]
        if immediate is not None:
            extras.append(f"{immediate_slot}={immediate}")
        return " ".join([self.opcode] + extras)


def forms_of(row, alias=None):
    """All forms of a row that PTX allows; with a number in `alias`, None for those that have no such pair."""
    result = []
    choices = patterns.covering_choices(patterns.groups(row.pattern), 10**9 if row.family == "convert" else FORM_LIMIT)
    for with_optional in ([False, True] if "[" in row.operands else [False]):
        for choice in choices:
            opcode = patterns.opcode(row.pattern, choice)
            if exclusions.reason(opcode, row.operands):
                continue
            operands = read_operands(row, choice, with_optional)
            variants = range(len(LOOKUP_TABLES)) if opcode.startswith("lop3") else [len(result)]
            for variant in variants:
                result.append(FormBuilder(opcode, operands, variant, alias).build())
            if choice in (choices[0], choices[-1]):
                result += immediate_form(opcode, operands, alias)
    return result


def immediate_form(opcode, operands, alias=None):
    """The form with an immediate as its last source that may be one, or none."""
    for operand in reversed(operands):
        if "d" in operand.slots or operand.shape == "vector" or opcode.startswith("lop3") \
                or (opcode[0] == "v" and "f" in operand.slots):
            continue
        slot = operand.slots[-1]
        immediate = immediate_for(opcode, operand.type, slot)
        if immediate is not None:
            return [FormBuilder(opcode, operands, 0, alias).build(immediate, slot)]
    return []


def pool_values(source):
    if source.pool.startswith("bits."):
        return numbers.pool("b" + source.pool[5:], source.column)
    return numbers.pool(source.pool, source.column)
