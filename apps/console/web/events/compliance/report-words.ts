import type { OperationResult } from '@svc/client/client-types.ts';

export type Report = OperationResult<'getComplianceReport'>;
export type ReportControl = Report['controls'][number];
export type ReportFramework = Report['frameworks'][number];
export type State = ReportControl['state'];
type Measure = ReportControl['measures'][number];

export const STATE_WORDS: Readonly<Record<State, string>> = {
  MET: 'Met',
  PARTIAL: 'Partly met',
  NOT_MET: 'Not met',
  NOT_APPLICABLE: 'Not applicable',
};

const LOOKED_AT = { ALL: '', SAMPLE: ' (sample of the period)', NEWEST: ' (newest only)' };

export const countWords = ({ of, fulfilled, counted, looked_at, needed }: Measure): string =>
  `${fulfilled} of ${counted}${LOOKED_AT[looked_at]}, ${of === 'NOW' ? 'now' : 'in the period'}; required: ${needed}`;
