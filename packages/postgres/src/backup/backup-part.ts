import type { KeptKey } from '../migrate/installation-keys.ts';

/** As it is kept, in base64. */
export type BackedUpKey = Omit<KeptKey, 'wrapped'> & { readonly wrapped?: string };

/** What a backup begins with: of which database it is, and how that was built. */
export type BackupHead = {
  readonly taken_at: string;
  readonly installation: {
    readonly id: string;
    readonly key_check: string;
    /** Its key, wrapped by the master keys of that moment, and which there were; left out where every key came from the master key itself. */
    readonly keys?: readonly BackedUpKey[];
  };
  /** Every migration the database had run, in their order. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
};

/** What follows, piece by piece: a table, then its rows, then the next; sequences last. */
export type BackupPart =
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly string[] }
  /** Each row as PostgreSQL writes a composite value, so that every value of every type comes back as it was. */
  | { readonly kind: 'rows'; readonly rows: readonly string[] }
  | { readonly kind: 'sequence'; readonly name: string; readonly last_value: string; readonly is_called: boolean };

/** Both sides write and read values alike, whatever the server, the database or the owner is set to. */
export const SAME_TEXTS =
  "set local timezone to 'UTC'; set local datestyle to 'ISO'; set local intervalstyle to 'postgres'; set local bytea_output to 'hex'; set local extra_float_digits to 1; set local search_path to public";

/** Tables that migrating keeps itself; a restore makes them anew. */
export const KEPT_BY_MIGRATING = ['installation', 'installation_keys', 'schema_migrations'];

/**
 * How rows are read of a table that are not kept as they stand. A position in the feed is one among the transactions of its server: where it is
 * restored all events are of before these, in the order of their ids. So it is kept as the one right before the first event that is left to be
 * taken, or behind all of them; whoever reads on from there is told again of what was taken out of that order. So it
 * is with what lies between two positions.
 */
export const KEPT_OTHERWISE: Readonly<Record<string, string>> = {
  feed_positions: `
    select (jsonb_populate_record(kept, jsonb_build_object('id', coalesce((
        select left(min(id), -1) from audit_events where transaction_id >= kept.transaction_id
           and (transaction_id > kept.transaction_id or id > kept.id)), 'evt_Z'))))::text as text from feed_positions kept`,
  webhook_stretches: `
    select (jsonb_populate_record(kept, jsonb_build_object('after_id', coalesce(left(lies.first, -1), kept.until_id), 'until_id',
        coalesce(lies.last, kept.until_id))))::text as text
      from webhook_stretches kept cross join lateral (
        select min(id) as first, max(id) as last from audit_events e where e.organization_id = kept.organization_id
           and transaction_id >= kept.after_transaction_id and (transaction_id > kept.after_transaction_id or id > kept.after_id)
           and transaction_id <= kept.until_transaction_id and (transaction_id < kept.until_transaction_id or id <= kept.until_id)) lies`,
};
