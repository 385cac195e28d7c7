import type { PolicyRule, VersionBody } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import type { Fuel } from '@svc/solver/fuel.ts';
import { type AnalysedRule, type AnalysedVersion, readFormulas } from '../formula/formula.ts';
import { compileUnbound, type PolicySet } from '../judge/compile-set.ts';
import { compileVersion } from '../judge/compile-version.ts';
import { evaluate } from '../judge/evaluate.ts';
import { permits } from '../language/effects.ts';
import { readGiven } from '../language/read-given.ts';
import { type Given, givenOf } from './example-request.ts';
import { certainFrom, possibleFrom, search, variablesOf } from './search.ts';

/** What decides beside a version wherever it applies, and what it would take the place of; null where nothing of it is in force. */
export type Around = { readonly beside: readonly PolicyRule[]; readonly before: readonly PolicyRule[] | null };

/** Steps of looking for examples; where they are used up, nothing more is claimed. */
const STEPS_MAX = 300_000;
const ATTEMPTS_MAX = 32;
const ATTEMPT_PRICE = 200;

type Asks = (given: Given) => boolean;
type Scene = { readonly version: AnalysedVersion; readonly fuel: Fuel };

const setOf = (rules: readonly PolicyRule[]): PolicySet =>
  compileUnbound(
    compileVersion({
      policy_id: '',
      policy_name: '',
      version_id: '',
      version_number: 0,
      binding: { scope: 'ORGANIZATION', id: '' },
      body: { rules: [...rules], tests: [] },
    }),
  );

const isBlocked = (set: PolicySet, given: Given): boolean => {
  const read = readGiven(given);
  return !read.ok || evaluate(set, read.context).effect === 'BLOCK';
};

const matchesAlone = (set: PolicySet, given: Given): boolean => {
  const read = readGiven(given);
  return read.ok && evaluate(set, read.context).matched_rules.some(({ outcome }) => outcome === 'matched');
};

/** The request without what it can do without. */
const shorten = (given: Given, asks: Asks): Given =>
  Object.keys(given).reduce<Given>((short, name) => {
    const { [name]: _, ...rest } = short;
    return asks(rest) ? rest : short;
  }, given);

/** The smallest request found on which some rules match, others do not, and the engine itself says what is asked of it. */
const findRequest = (
  { version, fuel }: Scene,
  matching: readonly AnalysedRule[],
  others: readonly AnalysedRule[],
  asks: Asks,
): Given | null => {
  const wishes = [
    ...matching.map((rule) => ({ rule, matches: true, from: certainFrom(rule) })),
    ...others.map((rule) => ({ rule, matches: false, from: possibleFrom(version, rule) })),
  ];
  let found: Given | null = null;
  let attempts = 0;
  search(version, variablesOf(version, [...matching, ...others], fuel), wishes, {
    fuel,
    real: true,
    stop: (assignment) => {
      attempts += 1;
      fuel.left -= ATTEMPT_PRICE * (1 + others.length);
      const given = givenOf(assignment);
      if (given !== null && asks(given)) found = shorten(given, asks);
      return found !== null || attempts >= ATTEMPTS_MAX;
    },
  });
  return found;
};

const isObligation = ({ rule }: AnalysedRule): boolean => rule.effect === 'MASK' || rule.effect === 'LIMIT';
const isPermit = ({ rule }: AnalysedRule): boolean => permits(rule.effect);
const isBlock = ({ rule }: AnalysedRule): boolean => rule.effect === 'BLOCK';

/** Obligations that match what no rule permits or blocks by name: their author may well take them for permission. */
const permitNothing = (scene: Scene, own: readonly AnalysedRule[], after: readonly AnalysedRule[]): PolicyWarning[] =>
  own.filter(isObligation).flatMap((rule): PolicyWarning[] => {
    const alone = setOf([rule.rule]);
    const others = setOf(after.filter((other) => !isObligation(other)).map((other) => other.rule));
    const example = findRequest(
      scene,
      [rule],
      after.filter((other) => !isObligation(other)),
      (given) => matchesAlone(alone, given) && !matchesAlone(others, given),
    );
    if (example === null) return [];
    const message = `This rule matches what nothing permits. A ${rule.rule.effect} rule permits nothing by itself, so such a request is refused.`;
    return [{ kind: 'permits_nothing', rule_id: rule.rule.id, pointer: `/rules/${rule.position}`, message, example }];
  });

const textOf = (rule: PolicyRule): string => JSON.stringify([rule.effect, rule.when, rule.if_missing]);
const without = (rules: readonly AnalysedRule[], others: readonly AnalysedRule[]): AnalysedRule[] => {
  const texts = new Set(others.map(({ rule }) => textOf(rule)));
  return rules.filter(({ rule }) => !texts.has(textOf(rule)));
};

type Change = {
  readonly own: readonly AnalysedRule[];
  readonly after: readonly AnalysedRule[];
  readonly replaced: readonly AnalysedRule[];
  readonly before: readonly AnalysedRule[];
};

/** What was refused with the version in force and would be permitted or held with this one. */
const newlyPermits = (scene: Scene, { own, after, replaced, before }: Change): PolicyWarning[] => {
  const [setAfter, setBefore] = [after, before].map((rules) => setOf(rules.map(({ rule }) => rule))) as [PolicySet, PolicySet];
  const isNew: Asks = (given) => !isBlocked(setAfter, given) && isBlocked(setBefore, given);
  const blocks = after.filter(isBlock);
  const told = (rule_id: string, pointer: string, message: string, example: Given | null): PolicyWarning[] =>
    example === null ? [] : [{ kind: 'newly_permits', rule_id, pointer, message, example }];
  const added = without(own.filter(isPermit), replaced).flatMap((rule) => {
    const example = findRequest(scene, [rule], [...blocks, ...before.filter(isPermit)], isNew);
    return told(rule.rule.id, `/rules/${rule.position}`, 'This rule permits what nothing permitted with the version in force.', example);
  });
  const removed = without(replaced.filter(isBlock), own).flatMap((block) => {
    const message = `Rule "${block.rule.id}" of the version in force blocks what is permitted without it.`;
    for (const permit of after.filter(isPermit)) {
      const example = findRequest(scene, [block, permit], blocks, isNew);
      if (example !== null) return told(block.rule.id, '/rules', message, example);
    }
    return [];
  });
  return [...added, ...removed];
};

/**
 * Where a mask or a limit matches what nothing permits, and where a change alone permits what nothing permitted before, each with a request
 * that the engine itself has judged. Never wrong; what takes too long to look for is left out.
 */
export const grantWarnings = (body: VersionBody, { beside, before }: Around): PolicyWarning[] => {
  const version = readFormulas({ rules: [...body.rules, ...beside, ...(before ?? [])] });
  const scene: Scene = { version, fuel: { left: STEPS_MAX } };
  const own = version.rules.slice(0, body.rules.length);
  const around = version.rules.slice(body.rules.length, body.rules.length + beside.length);
  const replaced = version.rules.slice(body.rules.length + beside.length);
  const after = [...own, ...around];
  return [
    ...permitNothing(scene, own, after),
    ...(before === null ? [] : newlyPermits(scene, { own, after, replaced, before: [...replaced, ...around] })),
  ];
};
