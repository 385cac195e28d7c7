import type { FieldCondition } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { compileWhen } from '../../conditions/compile-condition.ts';
import { newRun } from '../../evaluation/node.ts';
import { TRUE } from '../../evaluation/outcome.ts';
import type { PolicyContext } from '../../evaluation/policy-context.ts';
import type { AnalysedRule } from '../../formula/formula.ts';
import { hostSpelling } from '../../language/host-value.ts';
import { isInFavour, listConditions } from './list-conditions.ts';

/** A host name that an attacker controls. */
const STRANGER = 'attacker.example';
/** Returns the host of a literal pattern: the only kind for which other matches are analysed. */
const plainly = (pattern: string): string => pattern.replace(/^\^|\$$/g, '').replaceAll(/\\([.-])/g, '$1');

/** Returns foreign hosts that contain the piece. */
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

/** Returns a foreign host that matches the condition; undefined if none is known. */
const elsewhere = (condition: FieldCondition): string | undefined => {
  const { field, op, value } = condition;
  if (field === 'destination.host')
    return OF_PIECES.includes(op) ? lookAlikes(condition).find((host) => isMetBy(condition, host)) : undefined;
  const isUrl = field.startsWith('parameters.') && op === 'starts_with' && typeof value === 'string' && OPEN_URL.test(value);
  const url = isUrl && !/[.:@]$/.test(value) ? `${value}.${STRANGER}/` : undefined;
  return url !== undefined && URL.canParse(url) ? url : undefined;
};

/**
 * Warns of rules in which a piece of a host is enough for a permission, or to keep a strict rule from matching, and foreign hosts contain
 * it
 * too: a piece that does not begin at a dot, or does not reach the end. Each example matches the condition in the engine.
 */
export const openHosts = (rule: AnalysedRule): PolicyWarning[] =>
  listConditions(rule)
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
