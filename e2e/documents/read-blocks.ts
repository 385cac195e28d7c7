/** A fenced part of a document. */
export type Block = {
  /** Where its text begins. */
  readonly line: number;
  readonly text: string;
  /**
   * `sh`: what a reader types. `text`: what it prints. `file`: what a reader saves; its first line names the path in a comment.
   */
  readonly kind: 'sh' | 'text' | 'file';
  /** The document has told the reader to stop what runs, marked by a comment that readers do not see. */
  readonly stopsFirst: boolean;
};

const FENCE = /^(<!-- stopped -->\n+)?```(\w*)\n(.*?)^```$/gms;
const PATH_LINE = /^(?:\/\/|#) (\S+)$/m;

const kindOf = (language: string, text: string): Block['kind'] | undefined => {
  if (language === 'sh' || language === 'text') return language;
  return (language === 'js' || language === 'python') && text.search(PATH_LINE) === 0 ? 'file' : undefined;
};

/** Everything in a document that readers type, save or compare with, in order. */
export const readBlocks = (document: string): Block[] =>
  [...document.matchAll(FENCE)].flatMap(({ 1: stop, 2: language = '', 3: text = '', index }) => {
    const kind = kindOf(language, text);
    const line = document.slice(0, index).split('\n').length + 1;
    return kind === undefined ? [] : [{ line, text, kind, stopsFirst: stop !== undefined }];
  });

/** The path that a `file` block names. */
export const pathOf = ({ text }: Block): string => PATH_LINE.exec(text)?.[1] ?? '';
