"""A calibration as plain data with a hash: a dispute is measured with the very camera of the match."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.lens_model import Basis
from calibration.result import RingCalibration
from calibration.ring import RingSpec

Array = NDArray[np.float64]
_CAMERA = ("K", "dist", "rvec", "tvec")


def fingerprint(calibration: RingCalibration) -> dict[str, Any]:
    """What a match was measured with: the camera, and a hash by which two logs can be compared."""
    camera = calibration.camera
    numbers: dict[str, Any] = {name: np.round(getattr(camera, name), 6).ravel().tolist() for name in _CAMERA}
    if camera.wide:
        numbers["model"] = "fisheye"
    digest = hashlib.sha256(json.dumps([numbers, camera.size]).encode()).hexdigest()
    return {**numbers, "size": list(camera.size), "sha256": digest}


def calibration_json(calibration: RingCalibration) -> dict[str, Any]:
    """Everything that measuring needs of a calibration: free parameters, covariance (P, P), fingerprint."""
    basis = calibration.basis
    return {
        "size": list(calibration.size),
        "parameters": list(calibration.parameters),
        "values": calibration.values.tolist(),
        "covariance": calibration.covariance.tolist(),
        "base": basis.base.tolist(),
        "matrix": basis.matrix.tolist(),
        "camera": fingerprint(calibration),
    }


def calibration_of(data: Mapping[str, Any], spec: RingSpec) -> RingCalibration:
    """The calibration in `calibration_json`, over the ring of its event file.

    Raises ValueError when it is not the one its hash was taken of, KeyError or TypeError for other data.
    """
    names = tuple(str(name) for name in data["parameters"])
    wide = data["camera"].get("model") == "fisheye"
    basis = Basis(names, _array(data["base"]), _array(data["matrix"]), wide)
    values = _array(data["values"])
    width, height = data["size"]
    calibration = RingCalibration(
        camera=basis.camera(values, (int(width), int(height))),
        spec=spec,
        parameters=names,
        values=values,
        covariance=_covariance(data["covariance"], len(values)),
        basis=basis,
        assumptions=(),
        notes=(),
        click_sd_px=0.0,
        residual_px={},
    )
    if fingerprint(calibration)["sha256"] != data["camera"]["sha256"]:
        raise ValueError("the calibration is not the one its hash was taken of")
    return calibration


def _covariance(rows: Any, count: int) -> Array:
    """The covariance of so many parameters, which no hash holds. Raises ValueError when it can be none."""
    found = _array(rows)
    if found.shape != (count, count) or not np.isfinite(found).all() or (found.diagonal() < 0).any():
        raise ValueError("this is no covariance of the calibration's parameters")
    return found


def _array(rows: Any) -> Array:
    return np.asarray(rows, dtype=np.float64)
