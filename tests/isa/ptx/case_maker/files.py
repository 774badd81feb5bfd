# SPDX-License-Identifier: MIT
"""Case files: which rows share one, and its text. Recorded bits of an earlier version are kept where they still apply."""
from collections import OrderedDict

from . import forms, patterns, targets

WIDTHS = {"b": 4, "h": 4, "r": 4, "d": 8}


def file_names(rows):
    """Rows by file: an ordered map of 'family/name.ptx' to rows. Rows of one pattern share a file."""
    by_pattern = OrderedDict()
    for row in rows:
        by_pattern.setdefault((row.family, row.pattern), []).append(row)
    names = OrderedDict()
    for (family, pattern), members in by_pattern.items():
        names.setdefault((family, short_name(pattern)), []).append((pattern, members))
    result = OrderedDict()
    for (family, name), patterns_of_name in names.items():
        if len(patterns_of_name) == 1:
            result[f"{family}/{name}.ptx"] = patterns_of_name[0][1]
            continue
        for pattern, members in patterns_of_name:
            path = f"{family}/{name}_{distinction(pattern)}.ptx"
            while path in result:
                path = path.replace(".ptx", "_2.ptx")
            result[path] = members
    return result


def short_name(pattern):
    return patterns.literal_name(pattern).replace("::", ".").replace(".", "_").lower()


def distinction(pattern):
    """What tells patterns of the same literal text apart: a second operation, rounding to integers, the kinds of types."""
    words = []
    for group in patterns.groups(pattern):
        names = [alternative.lstrip(".") for alternative in group if alternative]
        if names in (["and", "or", "xor"], ["add", "min", "max"]):
            words.append("combined")
        elif "rni" in names:
            words.append("integral")
        elif names[0] in forms.EIGHT_BITS + forms.SMALLER:
            words.append(names[0])
        elif names[0] not in ("u32", "f16", "bf16") and not names[0][1:].isdigit():
            continue  # an operator or a modifier
        else:
            words.append(kind_of(names))
    return "_".join(words) or "plain"


def kind_of(types):
    """One word for a set of types: signed, unsigned, integer, bits, float, half, half_pairs, or the types themselves."""
    letters = {name[0] for name in types}
    if len(types) == 1:
        return types[0]
    if all(name.endswith("x2") for name in types):
        return "half_pairs"
    if types[0] in ("f16", "bf16") and types[1].endswith("x2"):
        return types[0]
    if set(types) == {"f16", "bf16"}:
        return "half"
    known = {frozenset("s"): "signed", frozenset("u"): "unsigned", frozenset("us"): "integer", frozenset("b"): "bits",
             frozenset("f"): "float", frozenset("fb"): "float"}
    return known.get(frozenset(letters), "any")


def digits(value, kind):
    return f"{value:0{2 * WIDTHS[kind]}x}" if kind != "p" else f"{value:08x}"


class CaseText:
    """With a number in `alias`: the same inputs and results, with that destination and source in one register."""

    def __init__(self, path, rows, alias=None):
        self.path, self.rows = path, rows
        self.forms = [form for row in rows for form in forms.forms_of(row)]
        labels = set()
        for form in self.forms:
            # Rows may overlap ("[.ftz]" here, ".ftz" there): a form that two rows describe needs one run.
            while form.label in labels:
                form.label += " again"
            labels.add(form.label)
        sources = []
        for form in self.forms:
            sources += [s for s in form.sources if s not in sources]
        # Wide pools first: every 64-bit value is then on a multiple of 8.
        self.sources = sorted(sources, key=lambda s: (s.kind != "d", s.pool, s.column))
        if alias is not None:
            other = [form for row in rows for form in forms.forms_of(row, alias)]
            for form, usual in zip(other, self.forms):
                if form:
                    form.label = usual.label
            self.forms = [form for form in other if form]

    def input_lines(self):
        lines = ["//   lanes that take part : ffffffff 00000000"]
        width = max([len(s.pool + s.column) + 1 for s in self.sources] + [0])
        for source in self.sources:
            kind = "r" if source.kind != "d" else "d"
            values = " ".join(digits(value, kind) for value in forms.pool_values(source))
            lines.append(f"//   {source.pool + ' ' + source.column:{width}} : {values}")
        return lines

    def results(self):
        """(label, form, register, class) in the order of the output: wide results, words, lane masks."""
        every = [(f"{form.label} ({suffix})" if suffix else form.label, form, register, kind)
                 for form in self.forms for suffix, register, kind in form.results]
        return sorted(every, key=lambda result: {"d": 0, "p": 2}.get(result[3], 1))

    def text(self, recorded):
        """The file. `recorded` maps labels to values that still hold."""
        results = self.results()
        header = ["// SPDX-License-Identifier: MIT",
                  "// Written by make_cases.py from the rows below; only the values after `out:` are recorded on a device.",
                  f"// case: {sentence(self.rows, len(self.forms))}",
                  f"// section: {' '.join(OrderedDict.fromkeys(row.section for row in self.rows))}", "// rows:"]
        header += [f"//   {row.name}" for row in self.rows]
        header += ["// launch: grid 1 block 32 shared 0", "// masks: ffffffff a5c30f19"]
        tolerance = targets.tolerance(self.forms[0].label) if self.forms else None
        header += [f"// ulp: {tolerance}"] if tolerance else []
        header += ["// in:"] + self.input_lines() + ["// out:"]
        width = max(len(result[0]) for result in results)
        offsets, offset = {}, 0
        for label, form, register, kind in results:
            unknown = {"d": "?" * 16 + "*32", "p": "?" * 8}.get(kind, "?" * 8 + "*32")
            header.append(f"//   {label:{width}} : {recorded.get(label, unknown)}")
            offsets[(id(form), register)] = offset
            offset += {"d": 256, "p": 4}.get(kind, 128)
        return "\n".join(header + self.kernel(offsets)) + "\n"

    def kernel(self, offsets):
        lines = [*targets.directives(form.label for form in self.forms), "",
                 ".visible .entry test(.param .u64 in, .param .u64 out)", "{"]
        lines += self.declarations() + self.loads()
        for form in self.forms:
            lines.append("")
            lines += ["  " + line for line in form.code]
            for _, register, kind in form.results:
                lines += ["  " + line for line in self.store(form, register, kind, offsets[(id(form), register)])]
        return lines + ["  ret;", "}"]

    def declarations(self):
        lines = ["  .reg .pred %p<10>, %is_out;", "  .reg .b8 %b<10>;", "  .reg .b16 %h<10>;", "  .reg .b32 %r<10>, %lane, %mask, %carry;",
                 "  .reg .b64 %d<10>, %in, %in4, %in8, %out, %out4, %out8;"]
        for kind, type_name in forms.CLASSES.items():
            names = sorted(s.register for s in self.sources if s.kind == kind and s != forms.CARRY)
            for i in range(0, len(names), 8):
                lines.append(f"  .reg .{type_name} {', '.join(names[i:i + 8])};")
        return lines

    def loads(self):
        lines = ["  ld.param.u64 %in, [in];", "  ld.param.u64 %out, [out];", "  cvta.to.global.u64 %in, %in;",
                 "  cvta.to.global.u64 %out, %out;", "  mov.u32 %lane, %tid.x;", "  ld.global.b32 %mask, [%in];",
                 "  shr.u32 %r1, %mask, %lane;", "  and.b32 %r1, %r1, 1;", "  setp.eq.u32 %is_out, %r1, 0;",
                 "  @%is_out ret;", "  mul.wide.u32 %d1, %lane, 4;", "  add.u64 %in4, %in, %d1;",
                 "  add.u64 %out4, %out, %d1;", "  add.u64 %in8, %in4, %d1;", "  add.u64 %out8, %out4, %d1;"]
        offset = 8
        for source in self.sources:
            if source.kind == "d":
                lines.append(f"  ld.global.b64 {source.register}, [%in8+{offset}];")
            elif source.kind == "p":
                lines += [f"  ld.global.b32 %r1, [%in4+{offset}];", f"  setp.ne.u32 {source.register}, %r1, 0;"]
            elif source == forms.CARRY:
                lines.append(f"  ld.global.b32 %carry, [%in4+{offset}];")
            else:
                kind = forms.CLASSES[source.kind]
                lines.append(f"  ld.global.{kind} {source.register}, [%in4+{offset}];")
            offset += 256 if source.kind == "d" else 128
        return lines

    @staticmethod
    def store(form, register, kind, offset):
        if kind == "d":
            return [f"st.global.b64 [%out8+{offset}], {register};"]
        if form.label.split()[0].endswith((".f16.f16", ".bf16.bf16")) and form.label.startswith("set."):
            # ptxas 13.0 makes nothing of cvt.u32.u16 after set, and the upper half is then that of an older register.
            return ["mov.b16 %h9, 0;", f"mov.b32 %r5, {{{register}, %h9}};", f"st.global.b32 [%out4+{offset}], %r5;"]
        if kind in "bh":
            return [f"cvt.u32.u{'8' if kind == 'b' else '16'} %r5, {register};", f"st.global.b32 [%out4+{offset}], %r5;"]
        if kind == "p":
            return [f"vote.sync.ballot.b32 %r5, {register}, %mask;", f"st.global.b32 [%out+{offset}], %r5;"]
        return [f"st.global.b32 [%out4+{offset}], {register};"]


def sentence(rows, form_count):
    names = list(OrderedDict.fromkeys(patterns.literal_name(row.pattern) for row in rows))
    forms_text = "the one form" if form_count == 1 else f"{form_count} forms"
    return f"{forms_text} of {', '.join(names)}, on operands at the edges of their types"


def recorded_values(text, new_text):
    """Label to values of an old file, when its inputs are those of the new one; else nothing."""
    def part(lines, key, until):
        start = lines.index(key) if key in lines else len(lines)
        taken = []
        for line in lines[start + 1:]:
            if not line.startswith("//   ") or line == until:
                break
            taken.append(line)
        return taken

    old, new = text.splitlines(), new_text.splitlines()
    if part(old, "// in:", "// out:") != part(new, "// in:", "// out:"):
        return {}
    result = {}
    for line in part(old, "// out:", None):
        label, values = line[5:].rsplit(" : ", 1)
        result[label.rstrip()] = values
    return result
