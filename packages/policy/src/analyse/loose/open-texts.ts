import type { FieldCondition } from '@svc/contract/policies/language.ts';
import type { PolicyWarning } from '@svc/contract/policies/warnings.ts';
import { FALSE, TRUE } from '../../evaluation/outcome.ts';
import {
  type AnalysedRule,
  type AnalysedVersion,
  type AtomBounds,
  computeGreatest,
  computeLeast,
  nothingKnown,
} from '../../formula/formula.ts';
import { isInFavour, type LooseCondition, listConditions } from './list-conditions.ts';

type Op = FieldCondition['op'];
type Warning = Pick<PolicyWarning, 'kind' | 'message'>;

const ATTACKER = 'attacker.example';
const WHOLE: readonly Op[] = ['eq', 'in', 'starts_with', 'ends_with', 'contains', 'matches', 'path_under', 'email_domain_in'];

/** Returns the text of a literal pattern; for another pattern nothing that it matches. */
const plainly = (pattern: string): string =>
  pattern
    .replace(/^\(\?i\)/, '')
    .replace(/^\^|\$$/g, '')
    .replaceAll(/\\([./@-])/g, '$1');

const readTexts = ({ op, value }: FieldCondition): readonly string[] =>
  [value].flat().flatMap((one) => (typeof one !== 'string' || one === '' ? [] : [op === 'matches' ? plainly(one) : one]));

const PATH = /^(?:\.{0,2}\/|[A-Za-z]:[\\/]|[^:/\s@]+\/)[^\s:]*$/;
const URL_LIKE = /^[a-z][a-z0-9+.-]*:/i;
const isPath = (text: string): boolean => text.length > 1 && PATH.test(text) && !URL_LIKE.test(text.replace(/^[A-Za-z]:[\\/]/, ''));
/** A domain after an "@" at the end of the text. */
const DOMAIN = /@((?:[a-z0-9-]+\.)+[a-z]{2,})$/i;

/** Returns paths that begin with a text and lead elsewhere. */
const pathsElsewhere = (text: string): readonly string[] => {
  const from = /[\\/]$/.test(text) ? text : `${text}/`;
  return [`${from}../../etc/passwd`, `${from}%2e%2e/%2e%2e/etc/passwd`, `${from}..\\..\\etc\\passwd`];
};
/** Returns other encodings of paths that begin with a text. */
const samePaths = (text: string): readonly string[] => {
  const path = /[\\/]$/.test(text) ? `${text}file` : text;
  return path.startsWith('/') ? [`/x/..${path}`, `//${path.slice(1)}`, `/.${path}`] : [`./${path}`, `x/../${path}`];
};

const addressesElsewhere = (domain: string): readonly string[] => [
  `x@${ATTACKER},a@${domain}`,
  `x@${ATTACKER} a@${domain}`,
  `a@${domain}.${ATTACKER}`,
  `a@${domain},x@${ATTACKER}`,
];
const sameAddresses = (domain: string): readonly string[] => [`a@${domain.toUpperCase()}`, `a@${domain},x@acme.example`];

type Subject = { readonly kind: 'other_path' | 'other_address'; readonly elsewhere: readonly string[]; readonly same: readonly string[] };

const readSubjects = (condition: FieldCondition): readonly Subject[] => {
  if (!WHOLE.includes(condition.op)) return [];
  return readTexts(condition).flatMap((text): Subject[] => {
    const domain = condition.op === 'email_domain_in' ? text : DOMAIN.exec(text)?.[1];
    if (domain !== undefined) return [{ kind: 'other_address', elsewhere: addressesElsewhere(domain), same: sameAddresses(domain) }];
    return isPath(text) ? [{ kind: 'other_path', elsewhere: pathsElsewhere(text), same: samePaths(text) }] : [];
  });
};

const INSTEAD = {
  other_path: 'Use path_under with a directory that is permitted',
  other_address: 'Use email_domain_in with the domains that are permitted',
} as const;

/** Evaluates the conditions of the rule on one field with a text, and leaves those on other fields open. */
const knowText = (version: AnalysedVersion, rule: AnalysedRule, name: string, text: string): AtomBounds => {
  const known = nothingKnown(version.atoms.length);
  for (const number of rule.atoms) {
    const atom = version.atoms[number];
    if (atom === undefined || atom.field.name !== name) continue;
    const outcome = atom.judge(text);
    known.least[number] = outcome;
    known.greatest[number] = outcome;
  }
  return known;
};

const findWarning = (version: AnalysedVersion, rule: AnalysedRule, asked: LooseCondition): Warning | undefined => {
  const { condition, holds } = asked;
  const judge = version.atoms.find(
    (atom) => atom.condition === condition || JSON.stringify(atom.condition) === JSON.stringify(condition),
  )?.judge;
  if (judge === undefined) return undefined;
  const mayMatch = (text: string): boolean => computeGreatest(rule.formula, knowText(version, rule, condition.field, text)) === TRUE;
  const mayEvade = (text: string): boolean => computeLeast(rule.formula, knowText(version, rule, condition.field, text)) === FALSE;
  for (const { kind, elsewhere, same } of readSubjects(condition)) {
    if (isInFavour(asked, rule)) {
      const isTaken = rule.rule.effect === 'ALLOW' ? mayMatch : mayEvade;
      const found = elsewhere.find((text) => judge(text) === TRUE && isTaken(text));
      const leads = kind === 'other_path' ? 'leads elsewhere' : 'names another recipient';
      if (found !== undefined) return { kind, message: `${found} also matches, but ${leads}. ${INSTEAD[kind]}.` };
    } else if (holds && rule.rule.effect !== 'ALLOW') {
      const found = same.find((text) => judge(text) === FALSE && mayEvade(text));
      const means = kind === 'other_path' ? 'a path with the same meaning' : 'an address with the same meaning';
      if (found !== undefined) return { kind, message: `${found}, ${means}, does not match. ${INSTEAD[kind]}, under "not".` };
    }
  }
  return undefined;
};

/**
 * Warns of rules in which a piece of a path or of an e-mail address is enough for a permission or to bypass a strict rule, and texts that
 * lead
 * elsewhere contain it too; and of strict rules on a path or an address that has other encodings. Each example was checked by the engine,
 * together with all conditions of the rule on that field.
 */
export const warnOfOpenTexts = (version: AnalysedVersion, rule: AnalysedRule): PolicyWarning[] =>
  listConditions(rule)
    .filter(({ condition, of }) => of === null && condition.field.startsWith('parameters.'))
    .flatMap((asked): PolicyWarning[] => {
      const found = findWarning(version, rule, asked);
      return found === undefined ? [] : [{ ...found, rule_id: rule.rule.id, pointer: asked.pointer }];
    });
