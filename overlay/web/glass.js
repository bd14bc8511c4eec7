// The magnifier: what lies under a point of the picture, shown beside the finger that hides it.

const ZOOM = 5, AWAY = 130;

export class Glass {
  /** `glass` is a small canvas with a fixed place on the screen, `picture` the one that is looked at. */
  constructor(glass, picture) {
    this.glass = glass;
    this.picture = picture;
  }

  /** Show the surroundings of a point [u, v] of the picture, near a pointer's event. */
  over(event, [u, v]) {
    const { glass } = this, size = glass.width, half = size / 2 / ZOOM, middle = size / 2;
    const pen = glass.getContext("2d", { alpha: false });
    pen.fillStyle = "#000";
    pen.fillRect(0, 0, size, size);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(this.picture, u + 0.5 - half, v + 0.5 - half, 2 * half, 2 * half, 0, 0, size, size);
    for (const [colour, width] of [["#0b0f1a", 5], ["#ffc20a", 2]]) {
      pen.strokeStyle = colour;
      pen.lineWidth = width;
      pen.beginPath();
      for (const [x, y] of [[1, 0], [0, 1]]) {
        for (const side of [-1, 1]) {
          pen.moveTo(middle + side * x * 8, middle + side * y * 8);
          pen.lineTo(middle + side * x * middle, middle + side * y * middle);
        }
      }
      pen.stroke();
    }
    // Above the finger; where there is no room, beside it.
    const above = event.clientY - AWAY - middle > 0;
    const left = event.clientX - middle + (above ? 0 : AWAY + 40);
    glass.style.left = `${Math.min(Math.max(left, 4), innerWidth - size - 12)}px`;
    glass.style.top = `${above ? event.clientY - AWAY - middle : Math.max(event.clientY - middle, 4)}px`;
    glass.hidden = false;
  }

  hide() {
    this.glass.hidden = true;
  }
}
