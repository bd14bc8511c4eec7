// Whether the match has begun: its pages answer where those of the set-up did.

export const WAIT_MS = 700;

/** Whether the match answers now. */
export async function isOn() {
  try { return (await fetch("/api/panel")).status === 200; } catch { return false; }
}

/** Come back when it does. */
export async function begun() {
  while (!await isOn()) await new Promise((go) => setTimeout(go, WAIT_MS));
}
