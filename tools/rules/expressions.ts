import { analyse } from 'scslre';
import type { SourceFile } from '../source.ts';
import type { ProjectRule, RuleFinding } from '../tree.ts';
import { slowUnit } from './pump.ts';

/** Input bound of an expression whose time grows faster than linearly: maximum characters, and what enforces it. */
type Bound = { readonly characters: number; readonly by: string };

/** Beyond this, quadratic time would make other requests wait. */
const charactersMax = 2_000;

/** Keyed by file and expression. An expression that can be rewritten to take linear time is rewritten and not listed here. */
const BOUNDED: Readonly<Record<string, Readonly<Record<string, Bound>>>> = {
  'packages/domain/src/tools/tool-imports/judge/keys.ts': {
    '/([a-z0-9])([A-Z])|([A-Z]+)([A-Z][a-z])/g': { characters: 1_000, by: 'keyOf, which reads the beginning alone' },
  },
  'packages/policy/src/templates/form/fill-template.ts': {
    '/\\B(?=(\\d{3})+$)/g': { characters: 24, by: 'the digits of one number' },
  },
};

/** Files that build expressions at run time, and why no text is slow for them. The number is that of the places in the file. */
const MADE: Readonly<Record<string, { readonly places: number; readonly because: string }>> = {
  'apps/console/web/match-route.ts': { places: 1, because: 'made of our own paths; no part of one reaches over a slash' },
  'apps/console/web/policies/policies/builder/language.ts': {
    places: 1,
    because: 'the pattern of our own builder schema, of a name of 200 characters',
  },
  'packages/catalogue/src/fill-values.ts': { places: 1, because: 'patterns of our own entries, of a text of 300 characters at most' },
  'packages/contract/src/tables/ids.ts': { places: 1, because: 'a fixed number of characters, from the beginning' },
  'packages/domain/src/money/fx-rates/parse-rate.ts': { places: 1, because: 'bounded numbers of digits, from the beginning' },
  'packages/domain/src/tools/declaration/validate-tool-declaration.ts': {
    places: 1,
    because: 'a fixed number of characters, from the beginning',
  },
  'packages/domain/src/tools/tool-imports/credentials/authorization-form.ts': {
    places: 2,
    because: 'made once of fixed pieces with bounded repetitions, over at most 2,000 characters',
  },
  'packages/domain/src/tools/schema/resource-identifiers.ts': {
    places: 3,
    because: 'anchored, and alternatives begin with different characters',
  },
  'packages/domain/src/tools/schema/text-formats.ts': { places: 1, because: 'compiled to see if it is valid, and never executed' },
  'packages/http/src/answers/unrouted.ts': { places: 1, because: 'made of our own paths; no part of one reaches over a slash' },
  'packages/http/src/bodies/validate.ts': { places: 1, because: 'patterns of our own rows, asked of 2,000 characters at most' },
  'packages/keyring/src/factors/recovery-codes.ts': { places: 2, because: 'a fixed number of characters' },
  'packages/keyring/src/public-keys/other-kinds.ts': { places: 1, because: 'a fixed number of characters, from the beginning' },
  'packages/keyring/src/tokens/read-string-members.ts': {
    places: 3,
    because: 'anchored or sticky, and neighbours begin with other characters',
  },
  'packages/policy/src/formula/field-candidates.ts': { places: 1, because: 'patterns of our own rows of fields, asked of bounded values' },
  'packages/policy/src/language/held-values.ts': { places: 2, because: 'patterns of the contract, of bounded values' },
  'packages/policy/src/tests/eq-ignore-case.ts': { places: 1, because: 'a fixed number of characters, from the beginning to the end' },
  'packages/policy/src/tests/path-under.ts': { places: 1, because: 'anchored, and each part ends at a slash that no part contains' },
  'packages/policy/src/validate/unseen-characters.ts': { places: 1, because: 'one character and its neighbours' },
  'packages/policy/src/values/text-patterns.ts': { places: 3, because: 'anchored, and neighbours begin with other characters' },
  'packages/policy/src/language/never-held.ts': { places: 2, because: 'patterns of our own rows of fields, from the beginning to the end' },
  'packages/policy/src/language/validate-value.ts': { places: 1, because: 'the same; longer values are refused before' },
  'packages/policy/src/masks/mask-members.ts': { places: 1, because: 'bounded numbers of characters, from the beginning' },
  'packages/policy/src/masks/secret-names.ts': { places: 1, because: 'whole words' },
  'packages/policy/src/masks/secret-shapes.ts': {
    places: 2,
    because: 'each begins where no part of another does',
  },
  'packages/policy/src/templates/form/template-values.ts': { places: 1, because: 'our own patterns; longer values are refused before' },
  'packages/policy/src/validate/validate-demand.ts': { places: 1, because: 'a pattern of the contract, of a bounded text' },
  'packages/policy/src/validate/validate-rule.ts': { places: 1, because: 'a pattern of the contract, of a bounded text' },
  'packages/postgres/src/audit/feed-lines.ts': { places: 1, because: 'marks that no text holds stand on both sides' },
  'packages/postgres/src/migrate/read-migrations.ts': { places: 1, because: 'words, in migrations of our own' },
};

type Written = { readonly source: string; readonly flags: string; readonly raw: string; readonly offset: number };

const isProduct = ({ folder, room, isTest }: SourceFile): boolean => /^(packages|apps)\//.test(folder) && room !== 'testing' && !isTest;

/** Without an unbounded repetition, time is bounded. */
const mayGrow = (source: string): boolean => /[*+]|\{\d*,\}/.test(source);

const kept = new Map<string, string | undefined>();

/** Returns what an expression is slow on: by analysis, or by trying. */
const getSlowness = ({ source, flags }: Written): string | undefined => {
  const [report] = analyse({ source, flags }, { maxReports: 1 }).reports;
  const unit = report ? report.character.pick : slowUnit(source, flags);
  if (unit === undefined) return undefined;
  return `${report?.exponential ? 'doubles with each character' : 'grows by the square of the length or faster'}, as on repeated ${JSON.stringify(unit)}`;
};

/** Returns what is wrong with an expression. */
const getFault = (each: Written): string | undefined => {
  if (!mayGrow(each.source)) return undefined;
  if (!kept.has(each.raw)) {
    const slowness = getSlowness(each);
    kept.set(each.raw, slowness && `${each.raw} takes time that ${slowness}`);
  }
  return kept.get(each.raw);
};

const listExpressions = (source: SourceFile): { readonly written: readonly Written[]; readonly made: readonly number[] } => {
  const written: Written[] = [];
  const made: number[] = [];
  const call = ({
    callee,
    arguments: given,
    start,
  }: {
    callee: { type: string; name?: string };
    arguments: readonly unknown[];
    start: number;
  }) => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return;
    const [pattern, flags] = given as readonly { type: string; value?: unknown }[];
    if (pattern?.type !== 'Literal' || typeof pattern.value !== 'string') made.push(start);
    else {
      const text = { source: pattern.value, flags: typeof flags?.value === 'string' ? flags.value : '' };
      written.push({ ...text, raw: `/${text.source}/${text.flags}`, offset: start });
    }
  };
  source.visit({
    Literal: (node) => {
      if ('regex' in node && node.regex)
        written.push({ source: node.regex.pattern, flags: node.regex.flags, raw: node.raw ?? '', offset: node.start });
    },
    NewExpression: call as never,
    CallExpression: call as never,
  });
  return { written, made };
};

const boundFault = (path: string, each: Written): string | undefined => {
  const fault = getFault(each);
  const bound = BOUNDED[path]?.[each.raw];
  if (fault === undefined) return bound && `${each.raw} needs no bound any more: take it out of tools/rules/expressions.ts`;
  if (bound !== undefined && bound.characters <= charactersMax) return undefined;
  return `${fault}; write it otherwise (a lookbehind that keeps it from beginning in the middle of a run often does), or name its bound in tools/rules/expressions.ts`;
};

const listFindings = (source: SourceFile): RuleFinding[] => {
  const { path } = source;
  const { written, made } = listExpressions(source);
  const findings = written.flatMap((each) => {
    const says = boundFault(path, each);
    return says === undefined ? [] : [{ path, line: source.lineAt(each.offset), says }];
  });
  const gone = Object.keys(BOUNDED[path] ?? {}).filter((raw) => !written.some((each) => each.raw === raw));
  const places = MADE[path]?.places ?? 0;
  const unknown =
    made.length === places ? [] : [`makes ${made.length} expressions while it runs, and ${places} are named in tools/rules/expressions.ts`];
  return [...findings, ...[...unknown, ...gone.map((raw) => `${raw} is not here any more`)].map((says) => ({ path, says }))];
};

/** Checks that every expression of the product takes linear time, or has a bounded input. */
export const checkExpressions: ProjectRule = (tree) => tree.sources.filter(isProduct).flatMap(listFindings);
