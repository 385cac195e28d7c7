/** Any name of node:util's styleText. */
export type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

/** How a story is told: who asks what, what came back, and why. */
export type Narrator = {
  /** Begins the next chapter, with its number. */
  readonly chapter: (title: string) => void;
  /** A remark that is neither a request nor an answer. */
  readonly say: (...lines: readonly string[]) => void;
  readonly asks: (who: string, request: string) => void;
  readonly answered: (kind: 'good' | 'held' | 'refused', answer: string) => void;
  /** Lines under a word of their own, such as "why". */
  readonly shows: (label: string, lines: readonly string[]) => void;
};

const LABEL_WIDTH = 8;
const INDENT = ' '.repeat(4);
const HANGING = ' '.repeat(INDENT.length + LABEL_WIDTH);
const TEXT_WIDTH = 104;
const STYLES = { good: 'green', held: 'yellow', refused: 'red' } as const;

/** Breaks a long line after commas and blanks; what has neither stays whole. */
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

/** `paint` decides whether and how a style shows. */
export const newNarrator = (write: (line: string) => void, paint: (style: Style, text: string) => string): Narrator => {
  let chapters = 0;
  const row = (style: Style, label: string, text: string): void => {
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

/** Tells nothing, for those who only want it done. */
export const silent: Narrator = { chapter: () => {}, say: () => {}, asks: () => {}, answered: () => {}, shows: () => {} };
