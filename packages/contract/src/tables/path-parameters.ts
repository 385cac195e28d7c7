import type { IdNoun } from './ids.ts';
import { type NOUNS, nounEntries } from './nouns.ts';

type PathParameterRow = {
  /** Noun whose id it holds; null if it holds a word that identifies no row by itself. */
  readonly id: IdNoun | null;
  /** Its name for people. */
  readonly noun: string;
  /** Table with a row of that id; null if `id` is null. */
  readonly table: string | null;
};

type Nouns = typeof NOUNS;
type ParameterNames<Noun extends keyof Nouns, Member extends 'parameters' | 'words'> = Nouns[Noun] extends {
  readonly [Each in Member]: infer Names;
}
  ? keyof Names & string
  : never;
/** Undefined if the noun has no table: its path parameters then do not compile in the adapter. */
type NounTable<Noun extends keyof Nouns> = Nouns[Noun] extends { readonly table: infer Table } ? Table : undefined;
/** Tables that parameters of a noun name instead of its own. */
type ParameterTable<Noun extends keyof Nouns> = Nouns[Noun] extends { readonly parameters: infer Parameters }
  ? Extract<Parameters[keyof Parameters], { readonly table: string }>['table']
  : never;

type IdParameters = {
  readonly [Noun in IdNoun as ParameterNames<Noun, 'parameters'>]: {
    readonly id: Noun;
    readonly noun: string;
    readonly table: NounTable<Noun> | ParameterTable<Noun>;
  };
};
type WordParameters = {
  readonly [Noun in keyof Nouns as ParameterNames<Noun, 'words'>]: { readonly id: null; readonly noun: string; readonly table: null };
};

const idParameters = nounEntries.flatMap(([id, { table, parameters = {} }]) =>
  Object.entries(parameters).map(([name, parameter]) => [name, { id, table, ...parameter }]),
);
const wordParameters = nounEntries.flatMap(([, { words = {} }]) =>
  Object.entries(words).map(([name, noun]) => [name, { id: null, noun, table: null }]),
);

/** Every parameter that a path may have, from the facts of the nouns. */
export const PATH_PARAMETERS = Object.fromEntries([...idParameters, ...wordParameters]) as IdParameters & WordParameters satisfies Readonly<
  Record<string, PathParameterRow>
>;

export type PathParameter = keyof typeof PATH_PARAMETERS;

/** Parameters that hold the id of a row. */
export type IdParameter = {
  [Name in PathParameter]: (typeof PATH_PARAMETERS)[Name]['id'] extends null ? never : Name;
}[PathParameter];

/** Values of the parameters of a path. */
export type PathParameters = Readonly<Partial<Record<PathParameter, string>>>;

export const isPathParameter = (name: string): name is PathParameter => Object.hasOwn(PATH_PARAMETERS, name);

/** Returns the parameter names of a path in order. */
export const listParameterNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
