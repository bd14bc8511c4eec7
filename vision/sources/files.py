"""Pictures from disk: video files, exact to the frame, and folders of images."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np

from calibration.sentences import Said
from vision.arrays import Image, as_bytes, decoded
from vision.sources.frames import Frame, FrameSource, SourceError

IMAGE_SUFFIXES = {".png", ".jpg", ".jpeg", ".bmp", ".webp", ".tif", ".tiff"}
# A folder of images does not say how fast it was taken.
FOLDER_FPS = 10.0


class VideoFile(FrameSource):
    """A video file through PyAV: every frame, with the time stamp it carries.

    A file that breaks off delivers its frames up to there, then adds a warning that says how many. Frames of
    another size are left out with a warning, as a gap.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        if path.stat().st_size == 0:
            raise SourceError(Said("error.source.empty", "{path}: the file is empty (0 bytes)", path=path))
        path.open("rb").close()  # FFmpeg would call a file that may not be read no video
        try:
            self._container = av.open(str(path))
        except (av.error.FFmpegError, ValueError):
            raise SourceError(
                Said(
                    "error.source.no_video",
                    "{path}: this is not a video that can be read, or it was cut off while being written",
                    path=path,
                )
            ) from None
        if not self._container.streams.video:
            self._container.close()
            raise SourceError(
                Said("error.source.no_track", "{path}: there is no picture track in this file", path=path)
            )
        self._stream: Any = self._container.streams.video[0]
        context = self._stream.codec_context
        self.size = (context.width, context.height)
        self.fps = float(self._stream.average_rate or 0.0)
        self.frame_count = self._stream.frames or None

    def _frames(self) -> Iterator[Frame]:
        count, broken, gap = 0, False, False
        try:
            for picture in self._container.decode(self._stream):
                image = decoded(picture)
                if not self._fits(image):
                    if not gap:
                        self.warnings.append(
                            Said(
                                "warning.frames",
                                "{name}: after frame {last} come frames of {size}; they were left out",
                                name=self.name,
                                last=count - 1,
                                size=self._misfit(image),
                            )
                        )
                    gap = True
                    continue
                t = picture.time if picture.time is not None else count / (self.fps or 1.0)
                yield Frame(count, float(t), image, gap)
                count, gap = count + 1, False
                if self.closed:
                    return
        except av.error.FFmpegError:
            broken = True
        if count == 0:
            raise SourceError(
                Said(
                    "error.source.no_frame",
                    "{name}: not one frame can be read from this file",
                    name=self.name,
                )
            )
        if broken or (self.frame_count is not None and count < self.frame_count):
            self.warnings.append(self._breaks_off(count))

    def _breaks_off(self, count: int) -> Said:
        if not self.frame_count:
            sentence = "{name}: the clip breaks off; {count} frames could be read"
            return Said("warning.breaks_off", sentence, name=self.name, count=count)
        return Said(
            "warning.breaks_off.of",
            "{name}: the clip breaks off; {count} of {total} frames could be read",
            name=self.name,
            count=count,
            total=self.frame_count,
        )

    def close(self) -> None:
        """Close the file; iterating ends."""
        super().close()
        self._container.close()


class ImageFolder(FrameSource):
    """A folder's images in the order of the numbers in their names, `fps` pictures a second.

    Pictures that cannot be read or have another size than the first are left out with a warning, as a gap;
    the others keep their time.
    """

    def __init__(self, folder: Path, fps: float = FOLDER_FPS) -> None:
        super().__init__(str(folder))
        self._paths = sorted(
            (path for path in folder.iterdir() if path.suffix.lower() in IMAGE_SUFFIXES and path.is_file()),
            key=_natural,
        )
        if not self._paths:
            raise SourceError(
                Said(
                    "error.source.no_pictures",
                    "{folder}: there are no pictures in this folder (png, jpg, bmp, webp, tif)",
                    folder=folder,
                )
            )
        first = next((image for path in self._paths if (image := _decoded(path)) is not None), None)
        if first is None:
            raise SourceError(
                Said(
                    "error.source.all_bad",
                    "{folder}: not one of the {count} pictures in this folder can be read",
                    folder=folder,
                    count=len(self._paths),
                )
            )
        self.size = (first.shape[1], first.shape[0])
        self.fps = fps
        self.frame_count = len(self._paths)

    def _frames(self) -> Iterator[Frame]:
        index = 0
        bad: list[Said] = []
        for number, path in enumerate(self._paths):
            if self.closed:
                return
            image = _decoded(path)
            if image is None or not self._fits(image):
                bad.append(self._fault(path, image))
                continue
            self._warn(bad)
            # before the first picture there is nothing that a gap could interrupt
            yield Frame(index, number / self.fps, image, gap=bool(bad) and index > 0)
            index, bad = index + 1, []
        self._warn(bad)

    def _fault(self, path: Path, image: Image | None) -> Said:
        if image is None:
            return Said("warning.picture.unread", "{path}: it cannot be read", path=path)
        return Said("warning.picture.size", "{path}: it has {size}", path=path, size=self._misfit(image))

    def _warn(self, bad: list[Said]) -> None:
        """One warning for a run of pictures that were left out."""
        if len(bad) == 1:
            self.warnings.append(Said("warning.left_out", "{what}; it was left out", what=bad[0]))
        elif bad:
            sentence = "{what}; it was left out (and {more} more after it)"
            self.warnings.append(Said("warning.left_out.more", sentence, what=bad[0], more=len(bad) - 1))


class ImageFile(FrameSource):
    """A single image: a source of one frame."""

    def __init__(self, path: Path) -> None:
        super().__init__(str(path))
        image = _read_image(path)
        if image is None:
            raise SourceError(
                Said("error.source.bad_picture", "{path}: this picture cannot be read", path=path)
            )
        self._image = image
        self.size = (self._image.shape[1], self._image.shape[0])
        self.frame_count = 1

    def _frames(self) -> Iterator[Frame]:
        yield Frame(0, 0.0, self._image)


def _natural(path: Path) -> tuple[list[tuple[int, int | str]], str]:
    """The key that puts img2 before img10."""
    parts = re.split(r"(\d+)", path.name.lower())
    return [(0, int(part)) if part.isdigit() else (1, part) for part in parts], path.name


def _read_image(path: Path) -> Image | None:
    """The picture in a file, None when there is none in it. Raises OSError when the file cannot be read."""
    data = np.fromfile(path, dtype=np.uint8)
    image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    return None if image is None else as_bytes(image)


def _decoded(path: Path) -> Image | None:
    """The same of one picture among many: one that may not be read is none."""
    try:
        return _read_image(path)
    except OSError:
        return None
