/** The decision of a request, in terms that every engine here supports natively: a matching BLOCK wins, and no match is BLOCK. */
export type BenchEffect = 'ALLOW' | 'BLOCK';

/** One rule of the bench: a tool, a bound of the amount in minor units, and the countries it is about. All three must match. */
export type BenchRule = {
  readonly id: string;
  readonly effect: BenchEffect;
  readonly tool: string;
  readonly op: 'lte' | 'gt' | 'gte';
  readonly amount: number;
  readonly countries: readonly string[];
};

export type BenchRequest = { readonly tool: string; readonly amount: number; readonly country: string };

export const TOOL = 'refund.create';
export const COUNTS = [10, 100, 1000] as const;
export type RuleCount = (typeof COUNTS)[number];

const COUNTRIES = ['DE', 'FR', 'NL', 'BE', 'AT', 'PL', 'ES', 'IT'] as const;
const EMBARGOED = ['KP', 'IR', 'SY'] as const;

/** The three rules that can match: one allows, one blocks an overlapping part, one blocks countries that the first does not list. */
const aboutTheTool: readonly BenchRule[] = [
  { id: 'small-refunds', effect: 'ALLOW', tool: TOOL, op: 'lte', amount: 50_000, countries: COUNTRIES },
  { id: 'large-refunds', effect: 'BLOCK', tool: TOOL, op: 'gt', amount: 40_000, countries: ['DE', 'FR'] },
  { id: 'embargoed', effect: 'BLOCK', tool: TOOL, op: 'gte', amount: 0, countries: EMBARGOED },
];

const aboutAnother = (index: number): BenchRule => ({
  id: `rule-${index}`,
  effect: index % 2 === 0 ? 'ALLOW' : 'BLOCK',
  tool: `tool-${Math.floor(index / 3)}.run`,
  op: index % 3 === 0 ? 'lte' : 'gt',
  amount: 1_000 * (index % 50),
  countries: COUNTRIES.slice(index % 5, (index % 5) + 3),
});

/** True for the positions of matching rules among `count`: they are spread, so that no engine profits from early ones. */
const isPlace = (index: number, count: number): number => {
  const step = Math.floor(count / aboutTheTool.length);
  return index % step === step - 1 ? Math.floor(index / step) : -1;
};

/** Returns so many rules, three of which can match a request. */
export const getRules = (count: number): readonly BenchRule[] =>
  Array.from({ length: count }, (_, index) => aboutTheTool[isPlace(index, count)] ?? aboutAnother(index));

const WHERE = [...COUNTRIES, ...EMBARGOED, 'US'];

/** Sixty different requests, allowed and blocked ones for every reason in the rules. */
export const REQUESTS: readonly BenchRequest[] = Array.from({ length: 60 }, (_, index) => ({
  tool: TOOL,
  amount: (index * 1_777 + 900) % 60_000,
  country: WHERE[index % WHERE.length] ?? '',
}));

const HOLDS: Readonly<Record<BenchRule['op'], (left: number, right: number) => boolean>> = {
  lte: (left, right) => left <= right,
  gt: (left, right) => left > right,
  gte: (left, right) => left >= right,
};

/** Decides by the plainest reading of the rules: the result that every engine must return. */
export const getExpected = (rules: readonly BenchRule[], request: BenchRequest): BenchEffect => {
  const matching = rules.filter(
    (rule) => rule.tool === request.tool && HOLDS[rule.op](request.amount, rule.amount) && rule.countries.includes(request.country),
  );
  return matching.some((rule) => rule.effect === 'BLOCK') || matching.length === 0 ? 'BLOCK' : 'ALLOW';
};
