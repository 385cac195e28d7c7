import { type FieldCondition, OPERATORS, type PolicyCondition, type PolicyRule } from '@svc/contract/policies/language.ts';
import { EFFECTS } from '@svc/contract/tables/vocabulary.ts';
import type { PolicySource } from '../judge/compile-version.ts';
import { findField } from '../language/find-field.ts';
import { findOperator } from '../language/operators.ts';
import { validateVersion } from '../validate/validate-version.ts';

/** Draws a whole number from 0 up to one below `count`. */
export type Draw = (count: number) => number;

/** Creates a deterministic source of draws (mulberry32). */
export const newDraw = (seed: number): Draw => {
  let state = seed >>> 0;
  return (count) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * count);
  };
};

export const pick = <T>(draw: Draw, values: readonly T[]): T => values[draw(values.length)] as T;
const some = <T>(draw: Draw, most: number, make: () => T): T[] => Array.from({ length: 1 + draw(most) }, make);

export const ADDRESSES = [
  '169.254.169.254',
  '::ffff:169.254.169.254',
  '::FFFF:A9FE:A9FE',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b::169.254.169.254',
  '10.0.0.0',
  '10.0.0.1',
  '10.0.0.3',
  '::',
  '::1',
  '::1.2.3.4',
  '2001:db8::',
  '2001:db8::1',
  '2001:0DB8:0:0::3',
  'fe80::1%eth0',
  '0.0.0.0',
  '255.255.255.255',
  '010.0.0.1',
  '10.1',
];
const NETWORKS = [
  '169.254.169.254/32',
  '169.254.0.0/16',
  '10.0.0.0/30',
  '10.0.0.0/8',
  '0.0.0.0/0',
  '::/0',
  '2001:db8::/126',
  '2001:db8::/32',
  'fe80::/10',
  '10.0.0.1/32',
  '169.254.169.254/32',
  '2001:db8::/128',
  '2001:db8::3/128',
  '10.0.0.0/31',
  '::ffff:10.0.0.0/120',
  '64:ff9b::a9fe:a9fe/128',
  '::1:0:0/96',
];
const PIECES = [
  '/',
  '..',
  '/a',
  'x@acme.example',
  '@B.a',
  ',',
  'a',
  'ab',
  'b',
  'ba',
  'A',
  'é',
  'K',
  '0',
  '10.',
  '1',
  ':',
  '%',
  '::',
  ' ',
  '.',
  '254',
  'ff',
  'x'.repeat(40),
];
const PATTERNS = [
  '^a',
  'b$',
  '(?i)k',
  '^(a|b)+$',
  '\\bab\\b',
  '^10\\.',
  '^[0-9.]+$',
  ':',
  '^$',
  '[^a]',
  '(?s)a.b',
  '^\\[',
  'x{3,}',
  '\\pL',
  '(?i)ſ',
];
export const HOSTS = [
  'example.com',
  'api.example.com',
  'evil.net',
  'xn--bcher-kva.example',
  '10.0.0.0',
  '10.0.0.3',
  '169.254.169.254',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[2001:db8::]',
  '[2001:db8::3]',
  '[::1]',
];
const NUMBERS = [
  0,
  -0,
  1,
  2,
  3,
  0.1,
  0.5,
  -1,
  100,
  2 ** 53 - 1,
  2 ** 53,
  1e21,
  5e-324,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  0.30000000000000004,
];
const WHOLE = [0, 1, 2, 3, 22, 80, 443, 65_535, 50_000, 2 ** 53 - 1];
const CLOCKS = ['00:00', '05:59', '06:00', '12:30', '23:59'];
const DAYS = ['0001-01-01', '0001-01-03', '2024-02-29', '2026-02-28', '2026-03-01', '2026-03-10', '9999-12-30', '9999-12-31'];
const HOURS = ['22:00-06:00', '06:00-22:00', '00:00-24:00', '21:59-22:00', '12:30-12:31', '23:59-00:00'];
export const AGENTS = ['A', 'B', 'C'].map((end) => `agt_0000000000000000000000000${end}`);
export const NAMES = ['a', 'ab', 'b', 'ba', 'a.b', 'zz'];

/** All fields of the language, those with the most distinct cases more than once. */
const TARGETS = [
  ...Array(4).fill('parameters.x'),
  ...['parameters.x.y', 'parameters.l', 'parameters.l.0', 'parameters.l.*', 'parameters.l.*', 'parameters.l.*.k', 'parameters.l.*.k'],
  ...['parameters.**', 'parameters.***', 'parameters.*', 'parameters.*.k', 'parameters.*.*', 'parameters.l.*.*', 'parameters.x.*'],
  ...[
    'parameters.l.*.m.*',
    'parameters.*.k.*',
    'parameters.l.0.k',
    'destination.host',
    'destination.host',
    'destination.ip',
    'destination.ip',
    'destination.port',
  ],
  ...['amount', 'velocity.amount_24h', 'velocity.calls_1m', 'currency', 'tool.name', 'tool.capability', 'capability', 'agent.capabilities'],
  ...['agent.id', 'agent.name', 'agent.labels.team', 'agent.labels.a.b', 'agent.created_days', 'environment.type', 'environment.mode'],
  ...[
    'workspace.id',
    'tool.risk_rating',
    'tool.dangerous',
    'tool.kind',
    'delegation.depth',
    'delegation.root_principal',
    'approval.present',
  ],
  ...['time.hour', 'time.clock', 'time.weekday', 'time.date', 'request.source_ip', 'request.sdk_name', 'principal.type', 'principal.id'],
  ...['risk.score', 'risk.signals', 'trust.level'],
];

const getText = (draw: Draw): string => (draw(2) === 0 ? pick(draw, ADDRESSES) : some(draw, 2, () => pick(draw, PIECES)).join(''));

const getScalar = (draw: Draw, name: string): unknown => {
  const field = findField(name);
  if ('fault' in field) throw new Error(field.fault);
  const { row } = field;
  if (row.values !== undefined) return pick(draw, row.values);
  if (name === 'agent.id' || name === 'principal.id') return pick(draw, AGENTS);
  if (name === 'currency') return pick(draw, ['EUR', 'USD']);
  if (name === 'capability' || name.startsWith('tool.') || name === 'agent.capabilities') return pick(draw, NAMES);
  if (row.type === 'host') return pick(draw, HOSTS);
  if (row.type === 'ip') return pick(draw, ADDRESSES);
  if (row.type === 'boolean') return draw(2) === 0;
  if (row.type === 'integer' || row.type === 'hour') return pick(draw, WHOLE);
  if (row.type === 'clock') return pick(draw, CLOCKS);
  if (row.type === 'date') return pick(draw, DAYS);
  if (row.type !== 'json' || draw(2) === 0) return getText(draw);
  return draw(4) === 0 ? draw(2) === 0 : pick(draw, NUMBERS);
};

const getPiece = (draw: Draw, name: string): unknown => {
  if (name.startsWith('parameters') && draw(3) === 0) return getScalar(draw, name);
  return name === 'destination.host' && draw(2) === 0
    ? pick(draw, ['.example.com', 'example', '10.', '[', 'ff', ']', '254'])
    : getText(draw);
};

const getConditionValue = (draw: Draw, name: string, kind: string): unknown => {
  if (kind === 'list') return [...new Set(some(draw, 4, () => getScalar(draw, name)))];
  if (kind === 'range')
    return [getScalar(draw, name), getScalar(draw, name)].toSorted((one, other) => ((one as number) < (other as number) ? -1 : 1));
  if (kind === 'directory') return pick(draw, ['a', '/a', 'ab/b', '/srv/data/', 'b.b']);
  if (kind === 'domains') return some(draw, 2, () => pick(draw, ['acme.example', 'A.B', 'b.a']));
  if (kind === 'whole') return getText(draw);
  if (kind === 'pattern') return pick(draw, PATTERNS);
  if (kind === 'networks') return draw(2) === 0 ? pick(draw, NETWORKS) : some(draw, 3, () => pick(draw, NETWORKS));
  if (kind === 'hours') return pick(draw, HOURS);
  if (kind === 'text' || kind === 'ending') return draw(2) === 0 && kind === 'text' ? getText(draw) : getPiece(draw, name);
  return kind === 'part' ? getPiece(draw, name) : getScalar(draw, name);
};

/** Draws a valid condition on a field of the given names. */
const getCondition = (draw: Draw, names: readonly string[]): FieldCondition => {
  for (;;) {
    const name = pick(draw, names);
    const op = pick(draw, OPERATORS);
    const operator = findOperator(op);
    const field = findField(name);
    if (operator === undefined || 'fault' in field || !operator.fits.includes(field.row.type)) continue;
    const condition = {
      field: name,
      op,
      ...(operator.value === 'none' ? {} : { value: getConditionValue(draw, name, operator.value) }),
      ...(field.wildcard ? { quantifier: pick(draw, ['any', 'all'] as const) } : {}),
    } as FieldCondition;
    const rules = [{ id: 'r', effect: 'BLOCK', reason: 'r', when: condition }];
    if (validateVersion({ rules }).ok) return condition;
  }
};

/** Draws a group that one element has to match as a whole. */
const getElement = (draw: Draw): PolicyCondition => {
  for (;;) {
    const parts = some(draw, 2, () => {
      const { quantifier: _, ...condition } = getCondition(draw, ['parameters.l.*.k', 'parameters.l.*.y', 'parameters.l.*']);
      return condition as FieldCondition;
    });
    const group: PolicyCondition = { any_element: { of: 'parameters.l.*', meets: { all: parts } } };
    if (validateVersion({ rules: [{ id: 'r', effect: 'BLOCK', reason: 'r', when: group }] }).ok) return group;
  }
};

const getNested = (draw: Draw, names: readonly string[], depth: number): PolicyCondition => {
  const kind = draw(depth > 1 ? 3 : 7);
  if (kind === 2 && names.some((name) => name.startsWith('parameters.l.*'))) return getElement(draw);
  if (kind < 3) return getCondition(draw, names);
  if (kind === 3) return { not: getNested(draw, names, depth + 1) };
  const parts = some(draw, 3, () => getNested(draw, names, depth + 1));
  return kind === 4 ? { any: parts } : { all: parts };
};

const DEMANDS: Readonly<Record<string, object>> = {
  MASK: { mask: { parameters: ['x'] } },
  LIMIT: { limit: { max_calls: 5, window_seconds: 60 } },
};

export type FieldNames = readonly string[];
/** Fields with many distinct cases, and fields that depend on each other. */
const CLOSE: readonly FieldNames[] = [
  ['parameters.x'],
  ['parameters.l.*'],
  ['destination.host', 'destination.ip'],
  ['time.clock', 'time.hour', 'time.date', 'time.weekday'],
  ['principal.type', 'principal.id', 'agent.id'],
  ['parameters.x', 'parameters.x.y', 'parameters.l', 'parameters.l.*', 'parameters.l.*.k'],
  ['parameters.**', 'parameters.***', 'parameters.*', 'parameters.*.k'],
  ['parameters.**', 'parameters.*', 'parameters.*.*', 'parameters.x', 'parameters.x.*', 'parameters.l.*.k'],
];

/** Draws the few fields of one question, so that conditions of its rules interact. */
export const drawNames = (draw: Draw): FieldNames => (draw(2) === 0 ? pick(draw, CLOSE) : some(draw, 3, () => pick(draw, TARGETS)));

const getRule = (draw: Draw, names: FieldNames, id: string): PolicyRule => {
  const effect = pick(draw, EFFECTS);
  return {
    id,
    reason: 'r',
    effect,
    ...(draw(6) === 0 ? {} : { when: getNested(draw, names, 0) }),
    ...(draw(3) === 0 && effect !== 'ALLOW' ? { if_missing: 'match' as const } : {}),
    ...DEMANDS[effect],
  };
};

export const drawCondition = (draw: Draw, names: FieldNames): PolicyCondition => getNested(draw, names, 0);

const CURRENCIES = ['EUR', 'USD'];

/** Draws versions over these fields, sometimes in different currencies. */
export const drawVersions = (draw: Draw, names: FieldNames): PolicySource[] =>
  some(draw, 2, () => draw(1000)).map((_, index) => ({
    policy_id: `p${index}`,
    policy_name: `p${index}`,
    version_id: `v${index}`,
    version_number: 1,
    binding: { scope: 'ORGANIZATION', id: 'o' },
    ...(names.includes('amount') || names.includes('velocity.amount_24h') ? { currency: pick(draw, CURRENCIES) } : {}),
    body: { rules: some(draw, 2, () => 0).map((_one, place) => getRule(draw, names, `r${place}`)), tests: [] },
  }));
