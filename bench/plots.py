"""Cactus and scatter plots as SVG, by hand: no library, one file each, readable in both themes
because the background is part of the picture."""
import math
from typing import NamedTuple
from xml.sax.saxutils import escape

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9"]  # told apart by the colour-blind
WIDTH, HEIGHT = 640, 480
LEFT, RIGHT, TOP, BOTTOM = 72, 20, 44, 60
FLOOR = 0.005  # seconds; what is faster is drawn here


class Measure(NamedTuple):
    """What both axes of a scatter plot show, from `floor` to `limit`."""
    unit: str
    form: str  # of a value in a tooltip
    floor: float
    limit: float
    less: str  # what a smaller value is called
    dashed: bool  # the limit is shown; what is unsolved lies beyond it


def seconds(timeout):
    return Measure("wall seconds", "{:.2f} s", FLOOR, timeout, "faster", True)


def count(unit, values):
    return Measure(unit, "{:.0f}", 1, max([10, *values]), "fewer", False)


class Canvas:
    """Plot area with mapped axes; `x` and `y` map values to pixels."""

    def __init__(self, title, width=WIDTH, height=HEIGHT):
        self.width, self.height = width, height
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" font-family="sans-serif" '
            f'font-size="12" fill="#222">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
        self.text(width / 2, 24, title, size=15, anchor="middle")

    def line(self, x1, y1, x2, y2, colour="#222", width=1.0, dash=""):
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
                          f'stroke="{colour}" stroke-width="{width}"{dashes}/>')

    def text(self, x, y, text, size=12, anchor="start", turn=False):
        turned = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turn else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" '
                          f'text-anchor="{anchor}"{turned}>{escape(text)}</text>')

    def path(self, points, colour):
        where = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline points="{where}" fill="none" stroke="{colour}" '
                          'stroke-width="2"/>')

    def mark(self, shape, x, y, colour, hint=""):
        """Circle, cross or triangle, with a tooltip."""
        inside = f"<title>{escape(hint)}</title>" if hint else ""
        if shape == "circle":
            body = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="{colour}" fill-opacity="0.65">'
            self.parts.append(body + inside + "</circle>")
            return
        if shape == "cross":
            where = (f"M{x - 4:.1f} {y - 4:.1f}L{x + 4:.1f} {y + 4:.1f}"
                     f"M{x - 4:.1f} {y + 4:.1f}L{x + 4:.1f} {y - 4:.1f}")
            look = f'stroke="{colour}" stroke-width="2" fill="none"'
        else:
            where = f"M{x:.1f} {y - 5:.1f}L{x + 5:.1f} {y + 4:.1f}L{x - 5:.1f} {y + 4:.1f}Z"
            look = f'fill="{colour}" fill-opacity="0.75"'
        self.parts.append(f'<path d="{where}" {look}>{inside}</path>')

    def save(self, path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(self.parts + ["</svg>"]) + "\n", encoding="utf-8")


def log_scale(low, high, start, end):
    span = math.log10(high / low)
    return lambda value: start + (end - start) * math.log10(max(value, low) / low) / span


def log_ticks(low, high):
    """(value, labelled) at 1, 2, 5 of each decade; the decades carry labels."""
    exponent = math.floor(math.log10(low))
    while 10.0 ** exponent <= high:
        for digit in (1, 2, 5):
            value = digit * 10.0 ** exponent
            if low * 0.999 <= value <= high * 1.001:
                yield value, digit == 1
        exponent += 1


def label(value):
    return f"{value:g}"


def draw_log_axis(canvas, scale, low, high, vertical, frame):
    left, right, top, bottom = frame
    for value, labelled in log_ticks(low, high):
        at = scale(value)
        colour, width = ("#cccccc", 1.0) if labelled else ("#eeeeee", 1.0)
        if vertical:
            canvas.line(left, at, right, at, colour, width)
            if labelled:
                canvas.text(left - 8, at + 4, label(value), anchor="end")
        else:
            canvas.line(at, top, at, bottom, colour, width)
            if labelled:
                canvas.text(at, bottom + 18, label(value), anchor="middle")


def step(limit):
    """A round distance that gives five to ten ticks."""
    for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000):
        if limit / size <= 10:
            return size
    return 10 ** math.ceil(math.log10(limit / 10))


def cactus(path, title, times, timeout):
    """`times`: contender -> seconds of what it solved. n files are solved within y seconds each."""
    canvas = Canvas(title)
    frame = left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    most = max([len(t) for t in times.values()] + [1])
    x = lambda n: left + (right - left) * n / (most * 1.03)
    y = log_scale(FLOOR, timeout * 1.15, bottom, top)
    draw_log_axis(canvas, y, FLOOR, timeout, True, frame)
    for n in range(0, most + 1, step(most)):
        canvas.line(x(n), top, x(n), bottom, "#eeeeee")
        canvas.text(x(n), bottom + 18, str(n), anchor="middle")
    for edge in ((left, top, left, bottom), (left, bottom, right, bottom)):
        canvas.line(*edge)
    for (name, seconds), colour in zip(times.items(), COLOURS * len(times)):
        points = [(x(n), y(s)) for n, s in enumerate(sorted(seconds), 1)]
        if points:
            canvas.path(points, colour)
            canvas.mark("circle", *points[-1], colour, f"{name}: {len(points)} solved")
    rows = sorted(zip(times.items(), COLOURS * len(times)), key=lambda row: -len(row[0][1]))
    for k, ((name, seconds), colour) in enumerate(rows):
        at = top + 18 + 20 * k
        canvas.line(left + 14, at - 4, left + 40, at - 4, colour, 3)
        canvas.text(left + 48, at, f"{name} ({len(seconds)})")
    canvas.text((left + right) / 2, HEIGHT - 16, "files solved", anchor="middle")
    canvas.text(20, (top + bottom) / 2, "wall seconds per file", anchor="middle", turn=True)
    canvas.save(path)


def draw_guides(canvas, x, y, measure, frame):
    """The grid, the diagonal, ten times less and more, and the limit when it is one."""
    left, right, top, bottom = frame
    floor, limit = measure.floor, measure.limit
    draw_log_axis(canvas, x, floor, limit, False, frame)
    draw_log_axis(canvas, y, floor, limit, True, frame)
    if measure.dashed:
        canvas.line(x(limit), top, x(limit), bottom, "#888888", dash="5 4")
        canvas.line(left, y(limit), right, y(limit), "#888888", dash="5 4")
        canvas.text(right + 4, y(limit) + 4, f"{label(limit)} s", size=11)
        canvas.text(right, top - 6, "unsolved: beyond the dashes", size=11, anchor="end")
    canvas.line(x(floor), y(floor), x(limit), y(limit), "#888888")
    for factor in (0.1, 10):
        low, high = max(floor, floor / factor), min(limit, limit / factor)
        canvas.line(x(low), y(low * factor), x(high), y(high * factor), "#bbbbbb", dash="2 4")
    for edge in ((left, top, left, bottom), (left, bottom, right, bottom),
                 (right, top, right, bottom), (left, top, right, top)):
        canvas.line(*edge)


def scatter(path, title, points, names, measure):
    """`points`: (file, x or None, y or None, verdict); None is unsolved and lies on the border
    beyond the limit."""
    side = 560
    canvas = Canvas(title, side, side)
    frame = left, right, top, bottom = LEFT, side - RIGHT - 24, TOP, side - BOTTOM
    beyond = measure.limit * (1.6 if measure.dashed else 1.1)
    x = log_scale(measure.floor, beyond, left, right)
    y = log_scale(measure.floor, beyond, bottom, top)
    draw_guides(canvas, x, y, measure, frame)
    shapes = {"safe": ("circle", COLOURS[0]), "unsafe": ("triangle", COLOURS[1])}
    for file, a, b, verdict in points:
        shape, colour = shapes.get(verdict, ("cross", "#555555"))
        shown = [measure.form.format(v) if v is not None else "unsolved" for v in (a, b)]
        canvas.mark(shape, x(beyond if a is None else a), y(beyond if b is None else b), colour,
                    f"{file}: {names[0]} {shown[0]}, {names[1]} {shown[1]}")
    for k, (verdict, (shape, colour)) in enumerate(shapes.items()):
        canvas.mark(shape, left + 16, top + 34 + 20 * k, colour)
        canvas.text(left + 28, top + 38 + 20 * k, verdict)
    canvas.text((left + right) / 2, side - 16, f"{names[0]}: {measure.unit}", anchor="middle")
    canvas.text(20, (top + bottom) / 2, f"{names[1]}: {measure.unit}", anchor="middle", turn=True)
    canvas.text(right - 6, bottom - 8, f"{names[1]} {measure.less}", size=11, anchor="end")
    canvas.save(path)


def cloud(path, title, groups, across, up):
    """`groups`: name -> (hint, x, y) of its points; `across`, `up`: what the axes show."""
    canvas = Canvas(title)
    frame = left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    x = log_scale(across.floor, across.limit * 1.1, left, right)
    y = log_scale(up.floor, up.limit * 1.1, bottom, top)
    draw_log_axis(canvas, x, across.floor, across.limit, False, frame)
    draw_log_axis(canvas, y, up.floor, up.limit, True, frame)
    for edge in ((left, top, left, bottom), (left, bottom, right, bottom)):
        canvas.line(*edge)
    for (name, points), colour in zip(groups.items(), COLOURS * len(groups)):
        for hint, a, b in points:
            canvas.mark("circle", x(a), y(b), colour,
                        f"{name}, {hint}: {across.form.format(a)}, {up.form.format(b)}")
    canvas.text((left + right) / 2, HEIGHT - 16, across.unit, anchor="middle")
    canvas.text(20, (top + bottom) / 2, up.unit, anchor="middle", turn=True)
    canvas.save(path)
