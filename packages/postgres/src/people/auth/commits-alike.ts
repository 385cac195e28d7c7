import { type RawBuilder, sql } from 'kysely';

/**
 * For a statement whose part `changed` may have changed nothing: makes its commit durable all the same, like one that changed
 * something, so that its duration reveals nothing. It leaves no row, only a message in the write-ahead log.
 */
export const commitsAlike = (changed: 'tried'): RawBuilder<unknown> =>
  sql.raw(`(select pg_logical_emit_message(true, 'svc', '') where not exists (select from ${changed})) as commits_alike`);
