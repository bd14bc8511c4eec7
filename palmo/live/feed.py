"""The table as the pages see it: pictures with annotations, the open question, answers coming in."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from calibration.camera import Camera
from overlay.board import Board
from overlay.feed import HistoryLine, Notice, Panel, Refused
from overlay.happened import BOOKKEEPING, answer_of, outcome_of
from overlay.i18n import NO_NAMES
from palmo.annotating import with_heights
from palmo.detections import Detections
from palmo.errors import PalmoError, Spoken
from palmo.event import Event
from palmo.judging import Judgement, move_annotations
from palmo.live.deciding import as_engine_answer, with_decision
from palmo.live.taught_again import told_of
from palmo.live.watching import MoveWatch
from palmo.play.hands import take_hands
from palmo.play.table import MatchTable
from palmo.scene import SceneBuilder
from rules.annotations import Annotation, Banner, FighterTag, RingEdge, Tone
from rules.engine.camera import CameraPolicy
from rules.engine.request import Option, Reason, Request
from rules.scene import Figure, Scene
from rules.smackkatz.lookup import Lookup, look_up
from rules.text import Text, listed
from vision.sources.frames import Frame
from vision.tracks import TrackFrame

_log = logging.getLogger(__name__)
# How long a verdict of the camera's stays across the picture.
_VERDICT_S = 4.0
# So many lines of the history are sent to a page.
_REMEMBERED = 40
_UNDER_A_HAND = ("in_hand", "covered")
_UNSURE = ("merged", "unsure")


class LiveFeed:
    """Joins the tracker's frames and the match. Safe to use from the loop and from the server's threads."""

    def __init__(
        self, event: Event, table: MatchTable, camera: Camera, colours: Mapping[str, str] = NO_NAMES
    ) -> None:
        self._board = Board()
        self._lock = threading.RLock()
        self._event = event
        # What the camera was taught of the fighters.
        self._taught = told_of(event)
        self._table = table
        self._camera = camera
        self._scenes = SceneBuilder(event)
        self._watch = MoveWatch(event)
        self._detections = Detections(table, CameraPolicy(**event.match.camera))
        self._edge = RingEdge(table.match.log.header.roster.ring.corners)
        self._scene: Scene | None = None
        self._tracked: TrackFrame | None = None
        self._picture: Frame | None = None
        self._blind: Text | None = Text("live.no_picture")
        self._verdict: tuple[float, int, Judgement] | None = None
        self._seen_moves: deque[tuple[int, HistoryLine]] = deque(maxlen=_REMEMBERED)
        self._drawn: tuple[int, dict[str, Figure], tuple[Annotation, ...]] | None = None
        self._notices: dict[str, Notice] = {}
        self._standing: Text | None = None
        self._names = dict(table.names)
        self._colours = dict(colours)

    # ---- what the server asks for (overlay.feed.Feed)

    @property
    def board(self) -> Board:
        """Where pictures are posted."""
        return self._board

    def panel(self) -> Panel:
        """The panel as it is now."""
        with self._lock:
            match, newest = self._table.match, self._table.newest
            return Panel(
                turn=self._table.turn,
                request=self._asked(),
                outcome=None if match.outcome is None else match.outcome.text,
                sighting=self._sighting(),
                offered=match.offered if match.request is not None and match.request.kind == "roll" else None,
                happened=tuple(text for entry in newest for text in outcome_of(entry)),
                undo=answer_of(newest[0]) if newest else None,
                redo=Text("live.redo") if self._table.may_redo else None,
                corrections=match.rulebook.corrections(match.table),
                fighters=tuple(one.id for one in match.log.header.roster.entrants),
                history=self._history(),
                notices=(*self._notices.values(), *self._proposed()),
                names=self._names,
            )

    def explain(self, fighter: str) -> tuple[Option, ...]:
        """Every action of a fighter, whoever's slot it is."""
        with self._lock:
            match = self._table.match
            if all(one.id != fighter for one in match.log.header.roster.entrants):
                raise _refused("live.no_fighter", fighter=fighter)
            return match.explain(fighter)

    def rule(self, rule: str) -> Lookup:
        """A rule of the catalogue with its house rules as this match has agreed on them."""
        book, header = self._table.match.rulebook, self._table.match.log.header
        return look_up(rule, book.catalogue, book.edition, header.rulings)

    def answer(self, turn: int, value: Any) -> None:
        """Answer the request of that turn."""
        with self._lock:
            self._current(turn)
            match = self._table.match
            meant = as_engine_answer(match.request, value, match.log.header.roster)
            self._table.answer(meant, "referee", at=self._now())
            self._changed()

    def roll(self, turn: int) -> None:
        """Answer the roll request of that turn with digital dice."""
        with self._lock:
            self._current(turn)
            try:
                self._table.roll(at=self._now())
            except PalmoError:
                raise _refused("live.no_dice") from None
            self._changed()

    def look(self, turn: int) -> None:
        """Answer the request of that turn with what the camera sees now."""
        with self._lock:
            self._current(turn)
            request, blocked = self._table.match.request, self._sighting()
            if request is None or request.kind not in ("observe", "place"):
                raise _refused("live.nothing_to_see")
            if blocked is not None or self._scene is None:
                raise Refused(Reason("sighting", blocked or Text("live.no_picture"), ""))
            figures = dict(self._scene.figures)
            answer = figures if request.kind == "observe" else figures[request.fighter or ""]
            self._table.answer(answer, "camera", at=self._scene.t)
            self._changed()

    def undo(self, turn: int) -> None:
        """Take back the last answer."""
        with self._lock:
            self._current(turn)
            try:
                self._table.undo()
            except PalmoError:
                raise _refused("live.nothing_to_undo") from None
            self._changed()

    def redo(self, turn: int) -> None:
        """Give the answer again that was taken back last."""
        with self._lock:
            self._current(turn)
            try:
                self._table.redo()
            except PalmoError:
                raise _refused("live.nothing_to_redo") from None
            self._changed()

    # ---- what the loop brings

    def see(self, frame: Frame, tracked: TrackFrame) -> tuple[Annotation, ...]:
        """Take in a tracked frame and show it; returns what is drawn over it."""
        with self._lock:
            self._picture, before = frame, self._sighting()
            self._tracked, self._scene = tracked, self._scenes.scene(tracked)
            self._blind = None
            if frame.gap:
                # Two places with a gap between them are no move that anybody saw.
                self._watch.forget()
            for judgement in self._judged(tracked):
                line = HistoryLine(_sentence(judgement), "camera", judgement.ruling.rules)
                self._seen_moves.append((len(self._table.match.log.entries), line))
                self._verdict = (tracked.t, self._table.turn, judgement)
                self._detections.see_settled(self._scene.figures, judgement.fighter.id, tracked.t)
                self._board.panel_changed()
            self._tell_who_is_measured(tracked)
            if before != self._sighting():
                self._board.panel_changed()
            annotations = self._annotations()
        self._post(frame, annotations)
        return annotations

    def lose_sight(self, why: Text) -> None:
        """Until the next picture is taken in the camera answers nothing, for this reason."""
        with self._lock:
            if why != self._blind:
                self._blind = why
                self._board.panel_changed()

    def show_unseen(self, frame: Frame, warning: Text) -> None:
        """Show a frame (or the last one again) with a warning; only names and Stamina stay, dimmed."""
        with self._lock:
            known = () if self._scene is None else with_heights(self._of_the_match(self._scene), self._event)
            tags = [
                replace(tag, dimmed=True, active=False, facing=None)
                for tag in known
                if isinstance(tag, FighterTag)
            ]
        self._post(frame, (*tags, Banner(warning, "illegal")))

    def notice(self, key: str, text: Text | None, tone: Tone = "doubt") -> None:
        """Put up a standing remark under a key, or take it down with None."""
        with self._lock:
            before = self._notices.get(key)
            if text is None:
                self._notices.pop(key, None)
            else:
                self._notices[key] = Notice(text, tone)
            if before != self._notices.get(key):
                self._board.panel_changed()

    def stand(self, text: Text | None) -> None:
        """Let a warning stand across every picture, on air too, or take it away with None."""
        with self._lock:
            self._standing = text

    def calibrated_again(self, event: Event, camera: Camera, note: Mapping[str, Any]) -> None:
        """Draw and judge with another camera from the next picture on; `note` goes into the match log.

        Of the event only the ring counts, and where everybody looks now.
        """
        looks = {one.id: {"facing_deg": one.facing_deg} for one in event.fighter}
        with self._lock:
            fighters = [one.model_copy(update=looks[one.id]) for one in self._event.fighter]
            known = {"ring": event.ring, "camera": event.camera, "fighter": fighters}
            self._event, self._camera = self._event.model_copy(update=known), camera
            self._taught = told_of(event)
            self._scenes, self._watch = SceneBuilder(self._event), MoveWatch(self._event)
            self._drawn = self._verdict = None
            self._table.note(**note)

    def use(self, event: Event) -> list[Text]:
        """Take over what may change while a match runs from an event file that was saved; says what it was.

        Names, hands and the labels' colours hold at once. The ring is what everything is measured with: it
        changes only when the camera is calibrated again. Who fights for whom is settled with the match.
        """
        with self._lock:
            before = self._event
            if _owners(event) != _owners(before):
                return [Text("live.event.others")]
            said = [Text("live.event.changed")]
            if (event.ring, event.camera) != (before.ring, before.camera):
                said.append(Text("live.event.ring"))
            others = [one.name for one in event.fighter if self._taught.get(one.id) != told_of(event)[one.id]]
            if others:
                said.append(Text("live.event.taught", {"who": listed(others)}))
            self._event = event.model_copy(update={"ring": before.ring, "camera": before.camera})
            self._scenes.use(self._event)
            self._watch.event = self._event
            self._names = self._names | {fighter.id: fighter.name for fighter in event.fighter}
            coloured = {one.id: one.colour for one in event.fighter if one.colour is not None}
            # Anew, not into the old ones: pictures that are shown already keep theirs.
            self._colours = self._colours | coloured
            said += take_hands(self._table, event, at=self._now())
            self._drawn = None
            self._changed()
            return said

    def retry_log(self) -> None:
        """Try again to write what the match log could not; say whether it still waits, and the time."""
        with self._lock:
            self._table.retry()
            self._tell_log()

    # ---- inside

    def _now(self) -> float | None:
        """The newest picture's time in seconds, which goes with every answer: reviews look the moment up."""
        return None if self._tracked is None else round(self._tracked.t, 4)

    def _proposed(self) -> list[Notice]:
        """What the camera would answer, for the referee to confirm."""
        found = self._detections.proposals
        return [Notice(proposal.text, "doubt", proposal.by_button) for proposal in found]

    def _tell_who_is_measured(self, tracked: TrackFrame) -> None:
        """A computer that is behind: until they are measured places are only guessed, with wide bars."""
        late = [self._names.get(one, one) for one in self._watch.waits_for(tracked)]
        self.notice("measuring", Text("live.measuring", {"who": listed(late)}) if late else None)

    def _judged(self, tracked: TrackFrame) -> list[Judgement]:
        """Moves the camera saw. Whatever is wrong with one, the match goes on."""
        try:
            return self._watch.see(tracked)
        except Exception:
            _log.exception(Spoken("fault.move"))
            return []

    def _annotations(self) -> tuple[Annotation, ...]:
        assert self._scene is not None
        found: list[Annotation] = [self._edge, *self._of_the_match(self._scene)]
        if self._verdict is not None:
            seen_at, turn, judgement = self._verdict
            acting = self._table.match.request.fighter if self._table.match.request else None
            # It goes with the next question, also when no picture comes any more; and the match draws the
            # move of whoever is to act itself.
            fresh = turn == self._table.turn and self._scene.t - seen_at < _VERDICT_S
            if fresh and acting != judgement.fighter.id:
                found += move_annotations(judgement)
        if self._standing is not None:
            found.append(Banner(self._standing, "illegal"))
        return with_heights(found, self._event)

    def _of_the_match(self, scene: Scene) -> tuple[Annotation, ...]:
        """What the match wants drawn; worked out again only when something moved or was answered."""
        if self._drawn is not None and self._drawn[:2] == (self._table.turn, scene.figures):
            return self._drawn[2]
        try:
            drawn = self._table.match.annotations(scene)
        except Exception:
            _log.exception(Spoken("fault.drawing"))
            return ()
        self._drawn = (self._table.turn, scene.figures, drawn)
        return drawn

    def _history(self) -> tuple[HistoryLine, ...]:
        """The match's facts with the moves the camera saw put where they happened."""
        entries = self._table.match.log.entries
        lines: list[tuple[float, HistoryLine]] = [
            (float(entry.n), HistoryLine(fact.text, entry.origin, fact.rules))
            for entry in entries[-_REMEMBERED:]
            for fact in entry.facts
            if fact.kind not in BOOKKEEPING
        ]
        lines += [(min(after, len(entries)) - 0.5, line) for after, line in self._seen_moves]
        return tuple(line for _, line in sorted(lines, key=lambda item: item[0]))[-_REMEMBERED:]

    def _asked(self) -> Request | None:
        """The open question; while the camera cannot answer it, with the answer that needs no camera."""
        request = self._table.match.request
        if request is None or self._sighting() is None:
            return request
        return with_decision(request, placed=bool(self._table.match.scene.figures))

    def _sighting(self) -> Text | None:
        """Why the camera cannot answer now."""
        if self._blind is not None or self._tracked is None or self._scene is None:
            return self._blind or Text("live.no_picture")
        for key, states in (("live.in_hand", _UNDER_A_HAND), ("live.unsure", _UNSURE)):
            doubtful = [id_ for id_, track in self._tracked.fighters.items() if track.state in states]
            if doubtful:
                return Text(key, {"who": listed([self._names.get(id_, id_) for id_ in doubtful])})
        request = self._table.match.request
        if request is not None and request.kind == "place" and request.fighter not in self._scene.figures:
            return Text("live.not_seen", {"who": self._names.get(request.fighter or "", "")})
        return None

    def _post(self, frame: Frame, annotations: tuple[Annotation, ...]) -> None:
        self._board.post(
            frame.index,
            frame.t,
            frame.image,
            annotations,
            self._camera,
            self._names,
            self._colours,
            jpeg=lambda: frame.jpeg,
        )

    def _current(self, turn: int) -> None:
        if turn != self._table.turn:
            raise _refused("live.stale")

    def _tell_log(self) -> None:
        trouble = self._table.trouble
        self.notice("log", trouble, "illegal")
        clock = self._table.clock
        if clock is not None:
            self.notice("clock", clock.text if self._table.match.request is not None else None, "neutral")

    def _changed(self) -> None:
        self._tell_log()
        self._board.panel_changed()
        # The picture shows what the match asks for, also when no new one comes (a clip that is over).
        if self._picture is not None and self._scene is not None:
            self._post(self._picture, self._annotations())


def _sentence(judgement: Judgement) -> Text:
    return Text("judgement", {"name": judgement.fighter.name, "verdict": judgement.verdict})


def _owners(event: Event) -> list[tuple[str, str]]:
    """Who fights for whom."""
    return [(fighter.id, fighter.player) for fighter in event.fighter]


def _refused(key: str, **values: str) -> Refused:
    return Refused(Reason(key.split(".")[1], Text(key, dict(values)), ""))
