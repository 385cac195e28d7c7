import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { type IdNoun, isId } from '@svc/contract/tables/ids.ts';
import { DOTTED_NAME_PATTERN, TOOL_NAME_PATTERN } from '@svc/contract/tables/spellings.ts';

/** The texts that a field contains, if its pattern admits more. */
export type HeldValues = {
  /** The name of the contents in a sentence. */
  readonly phrase: string;
  readonly isHeld: (text: string) => boolean;
  /** The characters that every piece of such a text consists of. */
  readonly letters: RegExp;
};

const PHRASES = { user: 'a person', api_key: 'an API key', agent: 'an agent', workspace: 'a workspace' } as const;

/** The service itself as the requester. */
const SELF = 'system';

const heldIds = (...nouns: readonly (keyof typeof PHRASES & IdNoun)[]): HeldValues => ({
  phrase: `the id of ${nouns.map((noun) => PHRASES[noun]).join(' or of ')}`,
  isHeld: (text) => text === SELF || nouns.some((noun) => isId(noun, text)),
  letters: /^[0-9A-Za-z_]*$/,
});

export const PRINCIPALS = heldIds('user', 'api_key', 'agent');
export const AGENTS = heldIds('agent');
export const WORKSPACES = heldIds('workspace');
export const ROOT_PRINCIPALS = heldIds('user', 'agent');

const capabilityName = new RegExp(DOTTED_NAME_PATTERN);
const toolName = new RegExp(TOOL_NAME_PATTERN);

export const CAPABILITY_NAMES: HeldValues = {
  phrase: 'the name of a capability',
  isHeld: (text) => capabilityName.test(text),
  letters: /^[a-z0-9_.-]*$/,
};

export const TOOL_NAMES: HeldValues = {
  phrase: 'the name of a tool',
  isHeld: (text) => toolName.test(text),
  letters: /^[A-Za-z0-9_.-]*$/,
};

/** Requests in any other currency are refused before a rule is evaluated. */
export const HELD_CURRENCIES: HeldValues = {
  phrase: 'the ISO 4217 code of a currency in circulation',
  isHeld: (text) => CURRENCIES.has(text),
  letters: /^[A-Z]*$/,
};
