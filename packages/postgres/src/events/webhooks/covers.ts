import { type RawBuilder, sql } from 'kysely';

/** Whether a subscription, `s`, is for an event as it stands now: its type, and its place. The event or its delivery goes by the name given. */
export const covers = (event: 'e' | 'd'): RawBuilder<boolean> =>
  sql.raw(`(${event}.${event === 'e' ? 'type' : 'event_type'} = any (s.event_types)
    and (s.workspace_id is null or s.workspace_id = ${event}.workspace_id)
    and (s.environment_id is null or s.environment_id = ${event}.environment_id))`);
