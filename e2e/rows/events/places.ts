import type { AuditSubject } from '@svc/contract/audit-subjects.ts';
import type pg from 'pg';
import type { Merged, NounTests } from '../../nouns/noun-tests.ts';
import { type EachNoun, NOUN_TESTS } from '../../nouns/nouns.ts';

type Place = { readonly organization_id: string; readonly workspace_id: string | null; readonly environment_id: string | null };
type Event = Place & {
  readonly actor_type: string;
  readonly actor_id: string;
  readonly subject_type: AuditSubject;
  readonly subject_id: string;
};

const NAMES: Readonly<Record<string, string>> = { USER: 'users', API_KEY: 'api_keys', AGENT: 'agents' };

const first = async <Row extends pg.QueryResultRow>(database: pg.Client, text: string, id: string): Promise<Row | undefined> =>
  (await database.query<Row>(text, [id])).rows[0];

/** Returns the actor's name; null for an actor without one. A person who changes theirs acted under the previous one. */
export const getActorName = async (
  database: pg.Client,
  { actor_type, actor_id, subject_id, data }: Event & { readonly data: { readonly before?: { readonly name?: string } } },
): Promise<string | null> => {
  if (actor_id === subject_id && data.before?.name !== undefined) return data.before.name;
  if (actor_id === 'scim') return 'Directory';
  // The remote agent of a connection is named like the connection.
  const table = actor_id.startsWith('a2a_') ? 'a2a_connections' : NAMES[actor_type];
  return table === undefined
    ? null
    : ((await first<{ name: string }>(database, `select name from ${table} where id = $1`, actor_id))?.name ?? null);
};

export const findScope = ({ organization_id, workspace_id, environment_id }: Place): Place => ({
  organization_id,
  workspace_id,
  environment_id,
});

type NounScopes<Noun> = Noun extends { readonly scopes: infer Scopes } ? Scopes : never;

const tests: readonly NounTests[] = NOUN_TESTS;

/** SQL by subject that selects its scope, or null. A subject that no noun has does not compile. */
const SCOPES: Readonly<Record<AuditSubject, string | null>> = Object.assign({}, ...tests.map(({ scopes }) => scopes)) as Merged<
  NounScopes<EachNoun>
>;

/** Undefined if no row states it, or the subject is gone. */
export const getPlaceOfSubject = async (database: pg.Client, { subject_type, subject_id }: Event): Promise<Place | undefined> => {
  const text = SCOPES[subject_type];
  return text === null ? undefined : await first<Place>(database, text, subject_id);
};
