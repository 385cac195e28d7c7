import { type RefObject, useEffect, useState } from 'react';
import { findShownRows } from './shown-rows.ts';

/** Shorter tables are shown as a whole. */
const WHOLE_MAX = 120;
/** Height of a row before one is measured. */
const ROW_PX = 36;

type Shown = { readonly from: number; readonly to: number; readonly rowPx: number };

/** The rows of a table near the screen: the range of their indexes, and the heights of the rows before and after them. */
export const useShownRows = (body: RefObject<HTMLElement | null>, count: number) => {
  const [shown, setShown] = useState<Shown>({ from: 0, to: WHOLE_MAX, rowPx: ROW_PX });
  const isWhole = count <= WHOLE_MAX;
  useEffect(() => {
    if (isWhole) return undefined;
    const measure = (): void => {
      const place = body.current;
      if (place === null) return;
      const rows = [...place.querySelectorAll<HTMLElement>('[data-row]')];
      const height = rows.reduce((sum, row) => sum + row.getBoundingClientRect().height, 0);
      const rowPx = rows.length === 0 ? ROW_PX : Math.max(1, height / rows.length);
      const view = { top: -place.getBoundingClientRect().top, screenPx: innerHeight, rowPx, count };
      const { from, to } = findShownRows(view);
      setShown((now) => (now.from === from && now.to === to ? now : { from, to, rowPx }));
    };
    measure();
    addEventListener('scroll', measure, { capture: true, passive: true });
    addEventListener('resize', measure);
    return () => {
      removeEventListener('scroll', measure, { capture: true });
      removeEventListener('resize', measure);
    };
  }, [body, count, isWhole]);
  if (isWhole) return { from: 0, to: count, before: 0, after: 0 };
  const to = Math.min(shown.to, count);
  return { from: shown.from, to, before: shown.from * shown.rowPx, after: Math.max(0, count - to) * shown.rowPx };
};
