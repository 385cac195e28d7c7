import type { IdNoun } from './tables/ids.ts';
import { type NOUNS, nounEntries } from './tables/nouns.ts';

type Nouns = typeof NOUNS;

/** Subject of an audit event: a noun with an `eventScope`, by the name in ids. New releases add some. */
export type AuditSubject = {
  [Noun in IdNoun]: Nouns[Noun] extends { readonly eventScope: string } ? Noun : never;
}[IdNoun];

/** In alphabetical order. */
export const AUDIT_SUBJECTS = nounEntries
  .flatMap(([noun, { eventScope }]) => (eventScope === undefined ? [] : [noun as AuditSubject]))
  .toSorted();
