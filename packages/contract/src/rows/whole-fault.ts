import type { Fault } from './fault.ts';

/** With what the end of a sentence begins that a place is the subject of. */
const PREDICATE =
  /^(must|may|cannot|is|are|was|were|has|have|holds?|does|did|means?|belongs?|names?|stays|says|carries|makes?|refers|ended|takes?|comes|stands|needs?|contradicts|begins|exceeds|calls|leads?|repeats|reads|gives?|covers|contains|points|lacks|allows?|differs?|cost) /;
const INDEX = /^\d+$/;

/** What a place is called where it is the subject of a sentence: its name, with the place in its list. */
const subjectOf = (pointer: string): string => {
  const tokens = pointer.split('/').slice(1);
  const from = tokens.findLastIndex((token) => !INDEX.test(token));
  if (from === -1) return 'The body';
  return tokens.slice(from).join('/').replaceAll('~1', '/').replaceAll('~0', '~');
};

const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** A fault as it is shown alone: with its subject where it says none, and with its end. */
export const wholeFault = ({ pointer, message }: Fault): Fault => ({
  pointer,
  message: PREDICATE.test(message) ? ended(`${subjectOf(pointer)} ${message}`) : message,
});
