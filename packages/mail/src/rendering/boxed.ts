import { plainLine } from './plain-line.ts';
import type { RenderedMail } from './render-mail.ts';

const WIDTH = 76;

const wrap = (line: string): string[] => {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > WIDTH) {
    const at = rest.lastIndexOf(' ', WIDTH);
    // A word longer than the box sticks out unbroken, so that a link can be copied.
    const end = at > 0 ? at : rest.indexOf(' ') > 0 ? rest.indexOf(' ') : rest.length;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end + 1);
  }
  return [...lines, rest];
};

/** Draws a mail in a box for a terminal. Like the values of a mail, it contains no control characters. */
export const boxed = ({ to, subject, text }: Pick<RenderedMail, 'subject' | 'text'> & { readonly to: string }): string => {
  const lines = [`Mail to ${plainLine(to)}`, plainLine(subject), '', ...text.trimEnd().split('\n').flatMap(wrap)];
  const rows = lines.map((line) => `│ ${line.padEnd(WIDTH)} │`);
  return [`┌${'─'.repeat(WIDTH + 2)}┐`, ...rows, `└${'─'.repeat(WIDTH + 2)}┘`].join('\n');
};
