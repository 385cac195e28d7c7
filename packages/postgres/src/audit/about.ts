import { AUDIT_SUBJECTS, type AuditSubject } from '@svc/contract/audit-subjects.ts';
import type { EventScope } from '@svc/contract/tables/noun-facts.ts';
import { NOUNS } from '@svc/contract/tables/nouns.ts';

/** The scope of a resource; null for each part that is wider. */
type Place = { readonly workspace_id: string | null; readonly environment_id: string | null };

/** The scope of resources without a narrower one. */
export const EVERYWHERE: Place = { workspace_id: null, environment_id: null };

declare const made: unique symbol;

/** The subject of an event, and its scope. Created only here, so that no event names an unknown noun, or lacks its scope. */
export type About = Place & {
  readonly subject: { readonly type: AuditSubject; readonly id: string };
  readonly [made]: true;
};

type Row = { readonly id: string };

const tell = (type: AuditSubject, { id }: Row, { workspace_id, environment_id }: Place): About =>
  ({ subject: { type, id }, workspace_id, environment_id }) as About;

/** Makers by scope of a noun: what an event about a row takes from the row, or from the scope that the caller passes. */
const MAKERS = {
  organization: (type: AuditSubject) => (row: Row) => tell(type, row, EVERYWHERE),
  columns: (type: AuditSubject) => (row: Row & Place) => tell(type, row, row),
  'workspace column': (type: AuditSubject) => (row: Row & Pick<Place, 'workspace_id'>) => tell(type, row, { ...row, environment_id: null }),
  workspace: (type: AuditSubject) => (row: Row) => tell(type, row, { workspace_id: row.id, environment_id: null }),
  environment: (type: AuditSubject) => (row: Row & { readonly workspace_id: string }) =>
    tell(type, row, { ...row, environment_id: row.id }),
  given: (type: AuditSubject) => (row: Row, place: Place) => tell(type, row, place),
} as const satisfies Record<EventScope, (type: AuditSubject) => (row: never, place: never) => About>;

type AboutNoun = { readonly [Noun in AuditSubject]: ReturnType<(typeof MAKERS)[(typeof NOUNS)[Noun]['eventScope']]> };

/** Makers by noun: each returns the subject of an event about a row. A caller limited to a workspace or environment sees its events and no others. */
export const about = Object.fromEntries(AUDIT_SUBJECTS.map((noun) => [noun, MAKERS[NOUNS[noun].eventScope](noun)])) as AboutNoun;
