/** A style name of node:util's styleText. */
export type NarratorStyle = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

/** Output of a story: requests, responses and reasons. */
export type Narrator = {
  /** Begins the next chapter, with its number. */
  readonly chapter: (title: string) => void;
  /** Prints a remark. */
  readonly say: (...lines: readonly string[]) => void;
  readonly asks: (who: string, request: string) => void;
  readonly answered: (kind: 'good' | 'held' | 'refused', answer: string) => void;
  /** Prints lines under a label, such as "why". */
  readonly shows: (label: string, lines: readonly string[]) => void;
};

const LABEL_WIDTH = 8;
const INDENT = ' '.repeat(4);
const HANGING = ' '.repeat(INDENT.length + LABEL_WIDTH);
const TEXT_WIDTH = 104;
const STYLES = { good: 'green', held: 'yellow', refused: 'red' } as const;

/** Wraps a long line after commas and blanks; other lines stay whole. */
const wrap = (text: string): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(/(?<=[, ])/)) {
    if (line !== '' && line.length + piece.trimEnd().length > TEXT_WIDTH) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
};

/** Creates a narrator; `paint` applies styles. */
export const newNarrator = (write: (line: string) => void, paint: (style: NarratorStyle, text: string) => string): Narrator => {
  let chapters = 0;
  const row = (style: NarratorStyle, label: string, text: string): void => {
    const [first = '', ...rest] = wrap(text);
    write(`${INDENT}${paint(style, label.padEnd(LABEL_WIDTH))}${first}`);
    for (const line of rest) write(`${HANGING}${line}`);
  };
  return {
    chapter: (title) => {
      chapters += 1;
      write(`\n${paint('bold', `${chapters}. ${title}`)}\n`);
    },
    say: (...lines) => {
      for (const line of lines) write(`${INDENT}${line}`);
    },
    asks: (who, request) => row('cyan', who, request),
    answered: (kind, answer) => row(STYLES[kind], 'answer', answer),
    shows: (label, [first = '', ...rest]) => {
      row('dim', label, first);
      for (const line of rest) write(`${HANGING}${line}`.trimEnd());
    },
  };
};

/** Prints nothing. */
export const silent: Narrator = { chapter: () => {}, say: () => {}, asks: () => {}, answered: () => {}, shows: () => {} };
