import type { OperatorName } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

/** What each part of a decision costs, in units of about a nanosecond, as measured for the worst values of each. */
export const WORK = {
  /** A rule that is consulted, with its place in the explanation. */
  rule: 1_500,
  /** A condition, with its trace. */
  condition: 1_000,
  /** A path that a rule masks. */
  masked: 1_000,
  /** One step on the way of a path with `*`. */
  step: 16,
  /** An element that a condition on such a path looks at. */
  element: 12,
  /** The same, where it is looked up in a list of values. */
  lookUp: 45,
  /** A character of a text that is read as an address; of a longer one no more are read. */
  address: 12,
  addressLength: 64,
  /** A text that is searched, before its first character. */
  search: 40,
  /** Searching a text once more at most: what would cost more is kept and found again. */
  again: 352,
  /** A character searched for a piece of text: by the built-in search and, where that could take too long, by our own. */
  characterNative: 1,
  character: 8,
  /** An element of a list that is searched for a value. */
  listed: 5,
  /** A character of a text that is shown in the trace, where secrets in it are masked. */
  shown: 15,
} as const;

const { parametersBytesMax } = LIMITS.bodies;

/** The most that a request can hold: each element takes two bytes at least, and all its texts lie in its parameters. */
export const REQUEST = {
  elements: parametersBytesMax / 2,
  /** Elements that are texts take two quotes and a comma at least. */
  texts: Math.ceil(parametersBytesMax / 3),
  characters: parametersBytesMax,
  matched: POLICY_LIMITS.matched_text_length_max,
  /** Texts that are not parameters. */
  ownText: 512,
} as const;

/** What looking at one element costs, what is searched in it not counted. */
export const elementWork = (op: OperatorName): number => (op === 'in' || op === 'not_in' ? WORK.lookUp : WORK.element);
