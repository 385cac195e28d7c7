import type { FieldCondition } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { compileWhen } from '../../conditions/compile-condition.ts';
import { newRun } from '../../evaluation/node.ts';
import { TRUE } from '../../evaluation/outcome.ts';
import type { PolicyContext } from '../../evaluation/policy-context.ts';
import type { AnalysedRule } from '../../formula/formula.ts';
import { hostSpelling } from '../../language/host-value.ts';
import { askedIn, isInFavour } from './asked-in.ts';

/** A name that nobody of the rule's own holds. */
const STRANGER = 'attacker.example';
/** A pattern that says a host letter by letter: the only kind of which it is told here what else it is found in. */
const plainly = (pattern: string): string => pattern.replace(/^\^|\$$/g, '').replaceAll(/\\([.-])/g, '$1');

/** Hosts of somebody else that look like the piece. */
const lookAlikes = ({ op, value }: FieldCondition): readonly string[] => {
  if (typeof value !== 'string') return [];
  const piece = (op === 'matches' ? plainly(value) : value).split('.').filter(Boolean).join('.');
  return [`not${piece}`, `${piece}.${STRANGER}`, `www.${piece}.${STRANGER}`].flatMap((host) => hostSpelling(host) ?? []);
};

const isMetBy = (condition: FieldCondition, host: string): boolean =>
  compileWhen(condition)({ destination: { host } } as PolicyContext, newRun(Number.POSITIVE_INFINITY)) === TRUE;

const OF_PIECES: readonly FieldCondition['op'][] = ['starts_with', 'ends_with', 'contains', 'matches'];
/** A URL that ends within its host. */
const OPEN_URL = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+$/i;

/** Where else something leads to that meets the condition; undefined where that is not told. */
const elsewhere = (condition: FieldCondition): string | undefined => {
  const { field, op, value } = condition;
  if (field === 'destination.host')
    return OF_PIECES.includes(op) ? lookAlikes(condition).find((host) => isMetBy(condition, host)) : undefined;
  const isUrl = field.startsWith('parameters.') && op === 'starts_with' && typeof value === 'string' && OPEN_URL.test(value);
  const url = isUrl && !/[.:@]$/.test(value) ? `${value}.${STRANGER}/` : undefined;
  return url !== undefined && URL.canParse(url) ? url : undefined;
};

/**
 * Warnings where a piece of a host is enough to be permitted, or to keep a strict rule from matching, and hosts of strangers have that piece too:
 * one that does not begin at a dot, or does not reach to the end. Each example meets the condition by the engine.
 */
export const openHosts = (rule: AnalysedRule): PolicyWarning[] =>
  askedIn(rule)
    .filter((asked) => isInFavour(asked, rule))
    .flatMap(({ condition, pointer }): PolicyWarning[] => {
      const found = elsewhere(condition);
      if (found === undefined) return [];
      const remedy =
        condition.field === 'destination.host'
          ? 'Match complete host names with eq or in, and all subdomains with ends_with and a leading dot.'
          : 'End the value with a slash after the host.';
      const message = `${found} also matches, but belongs to another owner. ${remedy}`;
      return [{ kind: 'other_host', rule_id: rule.rule.id, pointer, message }];
    });
