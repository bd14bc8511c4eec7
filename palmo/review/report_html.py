"""The report as one HTML file that needs nothing else: pictures inside, no scripts, prints on one page."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from html import escape

from overlay.answers import WEB
from palmo.review import strip as ruler
from palmo.review.facts import Facts, Shown


def html_report(facts: Facts) -> bytes:
    """The page."""
    ruling, verdict = facts.ruling, facts.verdict
    who = escape(ruling.by) or escape(facts.say("page.referee"))
    unit = ruler.SUFFIX[verdict.unit]
    tone = ruler.TONES.get(verdict.tone, ruler.INK)
    number = facts.say(f"report.number{unit}", palms=verdict.palms, error=verdict.error)
    low, high = verdict.interval
    interval = facts.say("report.interval", low=low, high=high)
    hand = facts.by_hand or [facts.say("report.nobody")]
    words = f"<p>{escape(ruling.words)}</p>" if ruling.words.strip() else ""
    page = f"""<!doctype html>
<html lang="{facts.lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(facts.say("report.title"))}: {escape(facts.name)}</title>
<style>{(WEB / "report.css").read_text(encoding="utf-8")}</style></head>
<body style="--tone: {tone}">
<header>
<div><h1>{escape(facts.headline)}</h1><p>{escape(facts.name)}: {escape(facts.sentence)}</p></div>
<div><div class="number">{escape(number)}</div>
<p class="small">{escape(interval)}</p></div>
</header>
<div class="ruled"><strong>{escape(facts.say(f"report.ruled.{ruling.decision}"))}</strong>
<span class="small">({escape(facts.say("report.by", who=who))})</span>{words}</div>
{_strip(facts)}
<p class="small">{escape(facts.measured_by)}</p>
<div class="pictures">{_figure(facts.before)}{_figure(facts.after)}</div>
{_list([*facts.numbers, *facts.notes])}
<h2>{escape(facts.say("report.rules"))}</h2><p>{escape("  ".join(verdict.rules))}</p>
<h2>{escape(facts.say("report.by_hand"))}</h2>{_list(hand)}
<h2>{escape(facts.say("report.evidence"))}</h2>
<table>{"".join(_row(*row) for row in facts.hashes)}</table>
<p class="small">{escape(facts.made)}</p>
</body></html>
"""
    return page.encode("utf-8")


def _figure(shown: Shown) -> str:
    data = base64.b64encode(shown.jpeg).decode("ascii")
    width, height = shown.size
    return (
        f'<figure><img width="{width}" height="{height}" src="data:image/jpeg;base64,{data}" alt="">'
        f"<figcaption>{escape(shown.caption)}</figcaption></figure>"
    )


def _list(lines: Iterable[str]) -> str:
    return "".join(f"<p>{escape(line)}</p>" for line in lines)


def _row(name: str, digest: str) -> str:
    return f"<tr><td>{escape(name)}</td><td>{digest}</td></tr>"


def _strip(facts: Facts) -> str:
    limit = facts.verdict.limit
    label = "" if limit is None else facts.say(f"report.limit{ruler.SUFFIX[facts.verdict.unit]}", limit=limit)
    parts = "".join(_part(part) for part in ruler.strip(facts.verdict, facts.lang, label))
    return f'<svg viewBox="0 0 {ruler.WIDTH:g} {ruler.HEIGHT:g}" role="img">{parts}</svg>'


def _part(part: ruler.Part) -> str:
    match part:
        case ruler.Stroke():
            return (
                f'<line x1="{part.x1:.3f}" y1="{part.y1:.3f}" x2="{part.x2:.3f}" y2="{part.y2:.3f}" '
                f'stroke="{part.colour}" stroke-width="{part.width:g}"/>'
            )
        case ruler.Box():
            return (
                f'<rect x="{part.x:.3f}" y="{part.y:.3f}" '
                f'width="{part.width:.3f}" height="{part.height:.3f}" '
                f'fill="{part.colour}" fill-opacity="0.4" stroke="{part.colour}" stroke-width="0.3"/>'
            )
        case ruler.Label():
            weight = "700" if part.bold else "400"
            return (
                f'<text x="{part.x:.3f}" y="{part.y:.3f}" font-size="{part.size:g}" font-weight="{weight}" '
                f'fill="{part.colour}" text-anchor="middle">{escape(part.text)}</text>'
            )
