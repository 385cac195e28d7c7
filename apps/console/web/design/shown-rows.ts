/** Rows above and below the screen, so that scrolling shows no gap. */
const BEYOND = 15;
/** The range moves in steps, so that not every pixel renders it again. */
const STEP = 10;

type View = {
  /** Pixels that were scrolled past the first row. */
  readonly top: number;
  readonly screenPx: number;
  readonly rowPx: number;
  readonly count: number;
};

/** The range of rows near the screen, from the first to the one after the last. */
export const findShownRows = ({ top, screenPx, rowPx, count }: View): { readonly from: number; readonly to: number } => {
  const first = Math.max(0, Math.floor(top / rowPx / STEP) * STEP);
  const onScreen = Math.ceil(screenPx / rowPx / STEP) * STEP;
  const to = Math.min(count, first + onScreen + STEP + BEYOND);
  return { from: Math.max(0, Math.min(first - BEYOND, to - onScreen)), to };
};
