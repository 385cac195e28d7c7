import { hideSecretLooks } from '../secret-looks.ts';

/** Stands for a secret in a source: valid as a string and as a name. */
const PLACEHOLDER = /__SVC_SECRET_[0-9a-f]{8}__/g;

/** The placeholders of a source, repeats included. */
export const listPlaceholders = (source: string): readonly string[] => source.match(PLACEHOLDER) ?? [];

const UNSEEN = /[\p{Bidi_Control}\u00ad\u200b\u2060\ufeff\0]/u;
const MASK = '\u0001';

export type SourceFault = { readonly line: number; readonly message: string };

const SECRET = 'contains a text that looks like a secret: replace it with __SVC_SECRET_<8 hex digits>__';

/** Returns why a source is not sent to a model: a line with a secret, or with invisible characters. Never returns the text itself. */
export const findSourceFault = (source: string): SourceFault | undefined => {
  for (const [at, line] of source.split('\n').entries()) {
    if (UNSEEN.test(line)) return { line: at + 1, message: 'contains an invisible or direction character' };
    const plain = line.replace(PLACEHOLDER, 'x');
    if (hideSecretLooks(plain, 'body', MASK).includes(MASK)) return { line: at + 1, message: SECRET };
  }
  return undefined;
};
