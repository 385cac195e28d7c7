import type { ProposalDraft } from '../draft/proposal.ts';
import { isMembers } from '../draft/reading.ts';
import { ENDS, splitWords } from './words.ts';

/** Verbs that move money or start something. */
const ACTS =
  /^(?:refund|charge|pay|payout|transfer|withdraw|disburse|capture|debit|purchase|topup|wire|settle|exec|execute|run|eval|invoke|trigger|deploy|reboot|shutdown|restart|reset|rebuild|restore|kill|send|publish)$/;
const READS =
  /^(?:get|list|read|fetch|find|search|show|view|retrieve|describe|count|check|query|lookup|download|export|preview|validate|is|has|can)$/;
const PLAIN_VERBS =
  /^(?:delete|remove|destroy|purge|erase|wipe|cancel|revoke|terminate|disable|suspend|deactivate|kill|exec|execute|eval|reboot|shutdown|reset|refund|withdraw)$/;
/** Parameters that name the operation, rather than its object. */
const COMMANDS = /^(?:delete|remove|destroy|purge|erase|wipe|exec|execute|eval|shell|cmd|command)$/i;
/** Method overrides: with these a request is treated as another one by any server that supports them. */
const OVERRIDES = /^(?:_method|x[-_]http[-_]method(?:[-_]override)?|x[-_]method[-_]override|x[-_](?:original|rewrite)[-_](?:url|method))$/i;

const isAct = (word: string | undefined): word is string => word !== undefined && (ACTS.test(word) || ENDS.test(word));

const lastSegment = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment.trim() !== '')
    .at(-1) ?? '';

/** The end of a path: one word that is a verb, or several of which the first is hardly ever anything else. */
const verbsOfPath = (path: string): readonly string[] => {
  const [first, ...more] = splitWords(lastSegment(path));
  return first === undefined || (more.length > 0 && !PLAIN_VERBS.test(first)) ? [] : [first];
};

/** Returns the verbs of a text: at the end of a path, first in a sentence, and first or last in an identifier without a reading verb. */
const verbsOf = (text: string): readonly (string | undefined)[] => {
  if (text.startsWith('/') || text.includes('://')) return verbsOfPath(text);
  const isIdentifier = !/\s/.test(text.trim());
  const words = splitWords(isIdentifier ? lastSegment(text) : text);
  return isIdentifier && !words.some((word) => READS.test(word)) ? [words[0], words.at(-1)] : [words[0]];
};

/** Returns the header or field by which a call could override its declared method. */
export const findMethodOverride = ({ headers, query, body }: ProposalDraft): string | undefined =>
  [...Object.keys(headers), ...Object.keys(query), ...Object.keys(isMembers(body) ? body : {})].find((name) => OVERRIDES.test(name));

/** Returns the word by which an operation that claims to read has an effect [a side effect behind a safe method]. */
export const findBelyingWord = (draft: ProposalDraft): string | undefined => {
  if (!draft.reads) return undefined;
  const named = draft.called.flatMap(verbsOf).find(isAct);
  return named ?? draft.parameters.find(({ name }) => COMMANDS.test(name))?.name;
};
