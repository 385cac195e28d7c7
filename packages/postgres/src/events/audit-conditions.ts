import { type RawBuilder, sql } from 'kysely';

/** What an event is looked at for; all that is said has to fit, and one of the types. */
export type EventConditions = {
  readonly [Name in (typeof EQUAL)[number] | 'subject_id' | 'from' | 'to' | 'q']?: string;
} & { readonly type?: readonly string[] };

const EQUAL = ['actor_id', 'actor_type', 'severity', 'request_id', 'workspace_id', 'environment_id'] as const;

const pattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Text as it stands inside a JSON string, where a quote or a backslash has one more before it. */
const asInJson = (text: string): string => JSON.stringify(text).slice(1, -1);

const holds = (text: string): RawBuilder<boolean> => {
  const like = pattern(text);
  return sql<boolean>`(type ilike ${like} or subject_id ilike ${like} or data::text ilike ${pattern(asInJson(text))})`;
};

/** As conditions on rows of `audit_events`, but for the subject, which an index may answer. */
export const auditConditions = (asked: EventConditions): RawBuilder<boolean>[] => {
  const { type, from, to, q } = asked;
  return [
    ...(type === undefined ? [] : [sql<boolean>`type = any(${type}::text[])`]),
    ...EQUAL.flatMap((name) => (asked[name] === undefined ? [] : [sql<boolean>`${sql.ref(name)} = ${asked[name]}`])),
    ...(from === undefined ? [] : [sql<boolean>`occurred_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`occurred_at < ${to}`]),
    ...(q === undefined ? [] : [holds(q)]),
  ];
};
