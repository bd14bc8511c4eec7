// Ring centimetres to picture pixels: pinhole camera with Brown distortion (k1, k2, p1, p2, k3), or a wide-angle
// lens with Kannala and Brandt's (k1, k2, k3, k4), as OpenCV projects. Pixel centres lie at integers, as in calibration/camera.py, against which this is tested.

/** The 3 x 3 rotation of a rotation vector (Rodrigues). */
export function rotation([x, y, z]) {
  const angle = Math.hypot(x, y, z);
  if (angle < 1e-12) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const [a, b, c] = [x / angle, y / angle, z / angle];
  const s = Math.sin(angle), k = Math.cos(angle), t = 1 - k;
  return [
    [k + a * a * t, a * b * t - c * s, a * c * t + b * s],
    [b * a * t + c * s, k + b * b * t, b * c * t - a * s],
    [c * a * t - b * s, c * b * t + a * s, k + c * c * t],
  ];
}

/** A function from ring points [[x, y] or [x, y, z], ...] in cm to pixels [[u, v], ...]. */
export function projector({ K, dist, rvec, tvec, wide }) {
  const R = rotation(rvec);
  const seen = (a, b) => [K[0][0] * a + K[0][1] * b + K[0][2], K[1][1] * b + K[1][2]];
  if (wide) {
    const [k1, k2, k3, k4] = dist;
    return (points) => points.map(([x, y, z = 0]) => {
      const [cx, cy, cz] = R.map((row, i) => row[0] * x + row[1] * y + row[2] * z + tvec[i]);
      const a = cx / cz, b = cy / cz, r = Math.hypot(a, b);
      if (r < 1e-8) return seen(a, b);
      const angle = Math.atan(r), t = angle * angle;
      const share = (angle * (1 + t * (k1 + t * (k2 + t * (k3 + t * k4))))) / r;
      return seen(a * share, b * share);
    });
  }
  const [k1, k2, p1, p2, k3] = dist;
  return (points) => points.map(([x, y, z = 0]) => {
    const [cx, cy, cz] = R.map((row, i) => row[0] * x + row[1] * y + row[2] * z + tvec[i]);
    const a = cx / cz, b = cy / cz;
    const r2 = a * a + b * b;
    const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
    const u = a * radial + 2 * p1 * a * b + p2 * (r2 + 2 * a * a);
    const v = b * radial + p1 * (r2 + 2 * b * b) + 2 * p2 * a * b;
    return seen(u, v);
  });
}
