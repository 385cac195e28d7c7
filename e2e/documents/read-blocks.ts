/** A fenced block of a document. */
export type Block = {
  /** Line at which its text begins. */
  readonly line: number;
  readonly text: string;
  /**
   * `sh`: input of the reader. `text`: printed output. `file`: a file that the reader saves; its first line names the path in a comment.
   */
  readonly kind: 'sh' | 'text' | 'file';
  /** True if an invisible comment in the document marks a step that stops the running programs. */
  readonly stopsFirst: boolean;
};

const FENCE = /^(<!-- stopped -->\n+)?```(\w*)\n(.*?)^```$/gms;
const PATH_LINE = /^(?:\/\/|#) (\S+)$/m;

const getKind = (language: string, text: string): Block['kind'] | undefined => {
  if (language === 'sh' || language === 'text') return language;
  return (language === 'js' || language === 'python') && text.search(PATH_LINE) === 0 ? 'file' : undefined;
};

/** Returns everything in a document that readers type, save or compare, in order. */
export const readBlocks = (document: string): Block[] =>
  [...document.matchAll(FENCE)].flatMap(({ 1: stop, 2: language = '', 3: text = '', index }) => {
    const kind = getKind(language, text);
    const line = document.slice(0, index).split('\n').length + 1;
    return kind === undefined ? [] : [{ line, text, kind, stopsFirst: stop !== undefined }];
  });

/** Returns the path that a `file` block names. */
export const getPath = ({ text }: Block): string => PATH_LINE.exec(text)?.[1] ?? '';
