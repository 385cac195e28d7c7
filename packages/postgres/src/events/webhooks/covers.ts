import { type RawBuilder, sql } from 'kysely';

/** Returns true if a subscription `s` currently covers an event: its type, and its scope. The event or its delivery has the given alias. */
export const covers = (event: 'e' | 'd'): RawBuilder<boolean> =>
  sql.raw(`(${event}.${event === 'e' ? 'type' : 'event_type'} = any (s.event_types)
    and (s.workspace_id is null or s.workspace_id = ${event}.workspace_id)
    and (s.environment_id is null or s.environment_id = ${event}.environment_id))`);
