import { type RawBuilder, sql } from 'kysely';

/** The conditions of an event search; all have to match, and one of the types. */
export type EventConditions = {
  readonly [Name in (typeof EQUAL)[number] | 'subject_id' | 'from' | 'to' | 'q']?: string;
} & { readonly type?: readonly string[] };

const EQUAL = ['actor_id', 'actor_type', 'severity', 'request_id', 'workspace_id', 'environment_id'] as const;

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Escapes a text as inside a JSON string, where a quote or a backslash is preceded by another backslash. */
const asInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** The character before a word in JSON: no ASCII letter or digit, or an escape. */
const BOUNDARY = '(?:^|[^a-z0-9]|\\\\[bfnrt]|\\\\u[0-9a-f]{4})';
const literally = (text: string): string => `${BOUNDARY}${text.replace(/[^a-z0-9\u{80}-\u{10ffff}]/giu, '\\$&')}`;

/** The words of a search's text: each of them is looked for by itself. */
export const splitSearchWords = (q: string): readonly string[] => [...new Set(q.split(/\s+/).filter((word) => word !== ''))];

/** Part of a text, from the beginning of a word on. */
const holds = (word: string): RawBuilder<boolean> => {
  const inJson = asInJson(word);
  const found = sql<boolean>`(type ilike ${pattern(word)} or subject_id ilike ${pattern(word)} or data::text ilike ${pattern(inJson)})`;
  if (!/^[a-z0-9]/i.test(word)) return found;
  return sql<boolean>`(${found} and (type ~* ${literally(word)} or subject_id ~* ${literally(word)} or data::text ~* ${literally(inJson)}))`;
};

/** Returns the conditions on rows of `audit_events`, except for the subject, for which there may be an index. */
export const auditConditions = (asked: EventConditions): RawBuilder<boolean>[] => {
  const { type, from, to, q } = asked;
  return [
    ...(type === undefined ? [] : [sql<boolean>`type = any(${type}::text[])`]),
    ...EQUAL.flatMap((name) => (asked[name] === undefined ? [] : [sql<boolean>`${sql.ref(name)} = ${asked[name]}`])),
    ...(from === undefined ? [] : [sql<boolean>`occurred_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`occurred_at < ${to}`]),
    ...(q === undefined ? [] : splitSearchWords(q).map(holds)),
  ];
};
