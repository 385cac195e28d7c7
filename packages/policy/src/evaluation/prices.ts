import type { OperatorName } from '@svc/contract/policies/language.ts';
import { POLICY_LIMITS } from '@svc/contract/tables/limits/policy-limits.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';

/** The cost of each part of a decision, in units of about a nanosecond, measured for the worst values of each. */
export const WORK = {
  /** A consulted rule, with its position in the explanation. */
  rule: 1_500,
  /** A condition, with its trace. */
  condition: 1_000,
  /** A path that a rule masks. */
  masked: 1_000,
  /** One step on a path with `*`. */
  step: 16,
  /** An element that a condition on such a path reads. */
  element: 12,
  /** The same with a look-up in a list of values. */
  lookUp: 45,
  /** A character of a text that is read as an address; a longer text is not read further. */
  address: 12,
  addressLength: 64,
  /** A searched text, before its first character. */
  search: 40,
  /** Maximum cost of searching a text once more: more expensive results are cached and looked up. */
  again: 352,
  /** A character searched for a piece of text: by the built-in search and, if that could take too long, by our own. */
  characterNative: 1,
  character: 8,
  /** An element of a list that is searched for a value. */
  listed: 5,
  /** A character of a text in the trace, in which secrets are masked. */
  shown: 15,
} as const;

const { parametersBytesMax } = LIMITS.bodies;

/** The maximum contents of a request: each element takes two bytes at least, and all its texts are in its parameters. */
export const REQUEST = {
  elements: parametersBytesMax / 2,
  /** Elements that are texts take two quotes and a comma at least. */
  texts: Math.ceil(parametersBytesMax / 3),
  characters: parametersBytesMax,
  matched: POLICY_LIMITS.matched_text_length_max,
  /** Texts outside the parameters. */
  ownText: 512,
} as const;

/** Returns the cost of reading one element, without the searches in it. */
export const elementWork = (op: OperatorName): number => (op === 'in' || op === 'not_in' ? WORK.lookUp : WORK.element);
