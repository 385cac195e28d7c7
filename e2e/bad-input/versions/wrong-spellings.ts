import { type Cells, type Malformed, withCondition } from './version.ts';

const PATTERNS: Cells = [
  ['that is not closed', '('],
  ['that looks ahead', '(?=a)b'],
  ['that looks behind', '(?<=a)b'],
  ['that refers back', '(a)\\1'],
  ['that repeats nothing', '*a'],
  ['whose range is reversed', '[z-a]'],
  ['that is nested to grow', '((((a{10}){10}){10}){10}){10}'],
  ['that repeats too often', 'a{1001}'],
  ['that is large when it is written out', '(a{200}|b{200})'],
  ['that is empty', ''],
  ['that is too long', 'a'.repeat(501)],
  ['that is a number', 5],
  ['that is a list', ['a']],
  ['with possessive repetition', 'a++'],
  ['with an atomic group', '(?>a)b'],
  ['with a condition', '(?(1)a|b)'],
];

const NETWORKS: Cells = [
  ['without bits', '10.0.0.1'],
  ['with bits that are too many', '10.0.0.0/33'],
  ['with bits beyond its own', '10.0.0.1/8'],
  ['in octal', '010.0.0.0/8'],
  ['in short form', '10/8'],
  ['of words', 'localhost/8'],
  ['of six with too many bits', '2001:db8::/129'],
  ['across both families', '::ffff:0:0/90'],
  ['with a sign', '10.0.0.0/+8'],
  ['that is nothing', ''],
  ['that is a number', 10],
];

const HOURS: Cells = [
  ['without minutes', '22-06'],
  ['beyond the day', '22:00-25:00'],
  ['that are none', '09:00-09:00'],
  ['in twelve hours', '9:00am-5:00pm'],
  ['of a number', 9],
  ['past the end of the day', '22:00-24:01'],
];

/** Values whose text the operator cannot parse. */
const spelled = (cells: Cells, what: string, field: string, op: string, says: RegExp): Malformed[] =>
  cells.map(([how, value]) => ({
    what: `${what} ${how}`,
    body: withCondition({ field, op, value }),
    pointer: '/rules/0/when/value',
    says,
  }));

export const listWrongVariants = (): Malformed[] => [
  ...spelled(PATTERNS, 'a pattern', 'tool.name', 'matches', /RE2|at most 500|steps|non-empty pattern|requires a pattern/),
  ...spelled(NETWORKS, 'a network', 'destination.ip', 'cidr', /network|leading bits|write/),
  ...spelled(HOURS, 'hours', 'time.clock', 'within_hours', /for example "22:00-06:00"|"00:00-24:00"/),
];
