import type { FieldCondition } from '@svc/contract/policies/language.ts';
import type { FieldRow } from '../language/field-row.ts';
import type { FieldType } from '../language/field-types.ts';
import { listAddressCandidates } from './address-candidates.ts';
import { listCandidates, listTextListCandidates } from './list-candidates.ts';
import { listNumberCandidates, listWholeCandidates } from './number-candidates.ts';
import { listTextCandidates } from './text-candidates.ts';
import { listClockCandidates, listDayCandidates } from './time-candidates.ts';

/**
 * Representative values: any value of a request is judged like one of these. In addition to `plain` ones, which are exact,
 * there are `open` ones: another text may be judged like them by everything but a pattern or a network, whose outcome is unpredictable.
 * `real` is true if a request can have the value.
 */
export type Candidates = {
  readonly plain: readonly unknown[];
  readonly open: readonly string[];
  readonly real: (value: unknown) => boolean;
};

const always = (): boolean => true;
const of = (plain: readonly unknown[]): Candidates => ({ plain, open: [], real: always });

/** Values in the canonical form of a field, so that fields with such a form have values too. */
const SPELLED = ['EUR', 'USD', 'GBP', 'JPY', 'CHF', 'XTS'];

const texts = (row: FieldRow, conditions: readonly FieldCondition[]): Candidates | null => {
  const found = listTextCandidates(conditions);
  if (found === null) return null;
  const spelling = row.pattern === undefined ? null : new RegExp(row.pattern);
  const more = spelling === null ? [row.example] : SPELLED;
  return {
    plain: found.named,
    open: [...found.made, ...more.map(String)],
    real: (value) => spelling === null || (typeof value === 'string' && spelling.test(value)),
  };
};

/** Infinite numbers occur in JSON, and are judged like no other. */
const BEYOND = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

const anything = (row: FieldRow, conditions: readonly FieldCondition[]): Candidates | null => {
  const text = texts(row, conditions);
  const lists = listCandidates(conditions);
  if (text === null || lists === null) return null;
  const addresses = conditions.some(({ op }) => op === 'cidr') ? listAddressCandidates(conditions) : [];
  return {
    plain: [...text.plain, ...addresses, ...listNumberCandidates(conditions), true, false, {}, ...lists, ...BEYOND],
    open: text.open,
    real: (value) => typeof value !== 'number' || Number.isFinite(value),
  };
};

const BY_TYPE: Readonly<Record<FieldType, (row: FieldRow, conditions: readonly FieldCondition[]) => Candidates | null>> = {
  string: texts,
  host: texts,
  enum: (row) => of(row.values ?? []),
  weekday: (row) => of(row.values ?? []),
  boolean: () => of([true, false]),
  integer: (row, conditions) => of(listWholeCandidates(row, conditions)),
  hour: () => of(Array.from({ length: 24 }, (_, hour) => hour)),
  clock: (_row, conditions) => of(listClockCandidates(conditions)),
  date: (_row, conditions) => of(listDayCandidates(conditions)),
  ip: (_row, conditions) => of(listAddressCandidates(conditions)),
  string_list: (_row, conditions) => {
    const lists = listTextListCandidates(conditions);
    return lists === null ? null : of(lists);
  },
  json: anything,
};

/** Returns candidates for a field judged by these conditions; null if there would be too many. */
export const listFieldCandidates = (row: FieldRow, conditions: readonly FieldCondition[]): Candidates | null =>
  BY_TYPE[row.type](row, conditions);
