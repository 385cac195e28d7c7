import { EFFECTS, type Effect } from '@svc/contract/tables/vocabulary.ts';
import type { ReactNode } from 'react';
import { DECISION_TONES, DECISION_WORDS } from './decision-pill.tsx';

type Counts = Readonly<Record<Effect, number>>;
type Bucket = { readonly from: string; readonly total: number; readonly decisions: Counts };

const WIDTH = 480;
const HEIGHT = 64;

/** The counts as words: `12 allowed, 3 held`. */
export const formatCounts = (counts: Counts): string =>
  EFFECTS.flatMap((effect) => (counts[effect] === 0 ? [] : [`${counts[effect]} ${DECISION_WORDS[effect].toLowerCase()}`])).join(', ') ||
  'none';

/** Shows one bar divided by decision. It is decoration: the words are next to it. */
export const DecisionBar = ({ counts, total }: { readonly counts: Counts; readonly total: number }): ReactNode => {
  let x = 0;
  return (
    <svg className="decision-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden>
      {EFFECTS.map((effect) => {
        const width = total === 0 ? 0 : (counts[effect] / total) * 100;
        const at = x;
        x += width;
        return width === 0 ? null : <rect key={effect} x={at} y={0} width={width} height={6} data-tone={DECISION_TONES[effect]} />;
      })}
    </svg>
  );
};

/** Decisions over time as stacked columns. */
export const DecisionChart = ({ buckets, label }: { readonly buckets: readonly Bucket[]; readonly label: string }): ReactNode => {
  const max = Math.max(1, ...buckets.map(({ total }) => total));
  const step = WIDTH / Math.max(1, buckets.length);
  return (
    <svg className="decision-chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
      {buckets.flatMap(({ from, decisions }, index) => {
        let y = HEIGHT;
        return EFFECTS.map((effect) => {
          const height = (decisions[effect] / max) * (HEIGHT - 2);
          y -= height;
          return height === 0 ? null : (
            <rect
              key={`${from} ${effect}`}
              x={index * step + 1}
              y={y}
              width={step - 2}
              height={height}
              data-tone={DECISION_TONES[effect]}
            />
          );
        });
      })}
      <line x1={0} x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
    </svg>
  );
};
