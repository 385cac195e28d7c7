import type { ReactNode } from 'react';
import { formatDrawn } from '../../data/shown-json.ts';
import { Text } from '../../design/kit.tsx';
import { type Column, Table } from '../../design/table.tsx';
import { formatSignal } from './risk-words.tsx';

type Fired = {
  readonly name: string;
  readonly family: string;
  readonly points: number;
  readonly counted: number;
  readonly sentence: string;
  readonly habitual?: boolean;
  readonly muted_until?: string;
};

/** Risk of a request as its explanation has it. Without signals, only the empty list. */
export type RequestRisk = { readonly score?: number; readonly complete?: boolean; readonly signals: readonly Fired[] };

const whyLess = ({ points, counted, habitual, muted_until }: Fired): string => {
  if (counted === points) return '';
  if (muted_until !== undefined) return `Exception until ${muted_until.slice(0, 10)}`;
  return habitual === true ? 'Usual for this agent' : 'Another signal of the family counts';
};

const COLUMNS: readonly Column<Fired>[] = [
  { name: 'Signal', show: ({ name }) => formatSignal(name) },
  { name: 'Family', show: ({ family }) => family },
  { name: 'Finding', show: ({ sentence }) => <bdi>{formatDrawn(sentence)}</bdi>, isLong: true },
  { name: 'Points', show: ({ points }) => points, isNumber: true },
  { name: 'Counted', show: ({ counted }) => counted, isNumber: true },
  { name: 'Note', show: whyLess },
];

/** The signals of a request and how their points add up to its score. */
export const RiskSum = ({ risk }: { readonly risk: RequestRisk }): ReactNode => {
  const counted = risk.signals.filter((signal) => signal.counted > 0).map((signal) => signal.counted);
  const sum = counted.reduce((total, each) => total + each, 0);
  return (
    <>
      <Table label="Signals of the request" columns={COLUMNS} rows={risk.signals} keyOf={({ name }) => name} empty="No signal fired." />
      {counted.length === 0 ? null : (
        <Text>
          {counted.join(' + ')} = {sum}
          {sum > 100 ? ', at most 100' : ''}. The score is {risk.score ?? 0}.
        </Text>
      )}
      {risk.complete === false ? <Text size="sm">The history of the agent was not known: the score is a lower bound.</Text> : null}
    </>
  );
};
