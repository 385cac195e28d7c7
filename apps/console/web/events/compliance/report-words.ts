export type State = 'MET' | 'PARTIAL' | 'NOT_MET' | 'NOT_APPLICABLE';

type Measure = {
  readonly name: string;
  readonly asks: string;
  readonly of: 'NOW' | 'PERIOD';
  readonly state: State;
  readonly fulfilled: number;
  readonly counted: number;
  readonly needed: string;
  readonly looked_at: 'ALL' | 'SAMPLE' | 'NEWEST';
  readonly evidence: readonly { readonly path: string; readonly permission: string }[];
};

export type Control = {
  readonly name: string;
  readonly title: string;
  readonly asks: string;
  readonly references: readonly { readonly framework: string; readonly reference: string }[];
  readonly state: State;
  readonly lacking: readonly string[];
  readonly operator: string;
  readonly recorded: { readonly state: State; readonly since: string } | null;
  readonly measures: readonly Measure[];
};

export type Framework = {
  readonly name: string;
  readonly title: string;
  readonly edition: string;
  readonly outside: string;
  readonly references: readonly {
    readonly reference: string;
    readonly title: string;
    readonly state: State;
    readonly controls: readonly string[];
  }[];
};

export type Report = {
  readonly generated_at: string;
  readonly period: { readonly from: string; readonly to: string };
  readonly says: string;
  readonly counts: Readonly<Record<State, number>>;
  readonly frameworks: readonly Framework[];
  readonly controls: readonly Control[];
};

export const STATE_WORDS: Readonly<Record<State, string>> = {
  MET: 'met',
  PARTIAL: 'in part',
  NOT_MET: 'not met',
  NOT_APPLICABLE: 'not applicable',
};

const LOOKED_AT = { ALL: '', SAMPLE: ', of a sample of the period', NEWEST: ', of the newest of more' };

export const countWords = ({ of, fulfilled, counted, looked_at, needed }: Measure): string =>
  `${fulfilled} of ${counted}${LOOKED_AT[looked_at]}, ${of === 'NOW' ? 'as it stands now' : 'in the period'}; needed: ${needed}`;
