// Pictures of a recording by frame: the newest wish is fetched first, the neighbours while nothing is wished.

const REMEMBERED = 40;

export class Pictures {
  /** `query` says of which session; `show(frame, picture)` is told of every picture that was wished and is there. */
  constructor(query, show) {
    this.query = query;
    this.show = show;
    this.known = new Map();
    this.wanted = null;
    this.busy = false;
  }

  /** Wish for a frame; an older wish that is still waiting is forgotten. */
  want(frame) {
    if (this.known.has(frame)) return this.show(frame, this.known.get(frame));
    this.wanted = frame;
    this.fetch();
  }

  async fetch() {
    if (this.busy || this.wanted === null) return;
    const frame = this.wanted;
    this.wanted = null;
    this.busy = true;
    try {
      const answer = await fetch(`/picture/${frame}.jpg?${this.query}`);
      if (answer.ok) this.keep(frame, await createImageBitmap(await answer.blob()));
    } finally {
      this.busy = false;
      this.fetch();
    }
  }

  keep(frame, picture) {
    this.known.set(frame, picture);
    if (this.known.size > REMEMBERED) {
      const [oldest] = this.known.keys();
      this.known.get(oldest).close();
      this.known.delete(oldest);
    }
    this.show(frame, picture);
  }
}
