import type { CatalogueEntry } from '@svc/contract/tools/catalogue-entry.ts';
import type { ListedApplication } from '@svc/contract/tools/tool-catalogue.ts';
import { listApplication, serviceActions } from './describe-application.ts';

type Searchable = { readonly listed: ListedApplication; readonly words: readonly string[] };

export type ApplicationFilter = Readonly<
  Partial<{ q: string; category: string; scheme: string; capability: ListedApplication['capability']['kind'] }>
>;

const DIACRITICS = /\p{M}/gu;

const wordsIn = (text: string): readonly string[] =>
  text
    .normalize('NFD')
    .replace(DIACRITICS, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');

const known = new WeakMap<CatalogueEntry, Searchable>();

const searchable = (entry: CatalogueEntry): Searchable => {
  const found = known.get(entry);
  if (found) return found;
  const texts = [entry.key, entry.name, entry.summary, ...serviceActions(entry).flatMap(({ key, name }) => [key, name])];
  const made = { listed: listApplication(entry), words: [...new Set(texts.flatMap(wordsIn))] };
  known.set(entry, made);
  return made;
};

/**
 * Entries that fit a filter, in their order. Each word of `q` has to be the beginning of a word of the entry or its actions. Without words and
 * capability, only applications of which the service performs actions.
 */
export const searchApplications = (entries: Iterable<CatalogueEntry>, filter: ApplicationFilter): readonly ListedApplication[] => {
  const wanted = wordsIn(filter.q ?? '');
  const isCapable = (kind: ListedApplication['capability']['kind']): boolean =>
    filter.capability === undefined ? wanted.length > 0 || kind !== 'NOT_AVAILABLE' : kind === filter.capability;
  const fits = ({ listed, words }: Searchable): boolean =>
    (filter.category === undefined || listed.category === filter.category) &&
    (filter.scheme === undefined || listed.scheme === filter.scheme) &&
    isCapable(listed.capability.kind) &&
    wanted.every((start) => words.some((word) => word.startsWith(start)));
  return [...entries]
    .map(searchable)
    .filter(fits)
    .map(({ listed }) => listed);
};
