import { type RawBuilder, sql } from 'kysely';

/**
 * In a statement whose part `changed` may have changed nothing: makes it wait for its commit to be durable all the same, as one that changed
 * something does, so that its time does not tell. It leaves no row; a message in the log of the server is all there is of it.
 */
export const commitsAlike = (changed: 'tried'): RawBuilder<unknown> =>
  sql.raw(`(select pg_logical_emit_message(true, 'svc', '') where not exists (select from ${changed})) as commits_alike`);
