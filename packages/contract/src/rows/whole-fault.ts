import type { Fault } from './fault.ts';

/** Matches messages that need a subject: their beginnings. */
const PREDICATE =
  /^(must|may|cannot|is|are|was|were|has|have|holds?|does|did|means?|belongs?|names?|stays|says|carries|makes?|refers|ended|takes?|comes|stands|needs?|contradicts|begins|exceeds|calls|leads?|repeats|reads|gives?|covers|contains|points|lacks|allows?|differs?|cost) /;
const INDEX = /^\d+$/;

/** Returns the subject of a message for a pointer: the member's name, with its index in a list. */
const getSubject = (pointer: string): string => {
  const tokens = pointer.split('/').slice(1);
  const from = tokens.findLastIndex((token) => !INDEX.test(token));
  if (from === -1) return 'The body';
  return tokens.slice(from).join('/').replaceAll('~1', '/').replaceAll('~0', '~');
};

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Completes a fault so that it can be shown alone: with a subject and a full stop. */
export const completeFault = ({ pointer, message }: Fault): Fault => ({
  pointer,
  message: PREDICATE.test(message) ? ended(`${getSubject(pointer)} ${message}`) : message,
});
