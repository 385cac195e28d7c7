import type { KeptKey } from '../migrate/installation-keys.ts';

/** The stored form, in base64. */
export type BackedUpKey = Omit<KeptKey, 'wrapped'> & { readonly wrapped?: string };

/** The head of a backup: its database, and the migrations. */
export type BackupHead = {
  readonly taken_at: string;
  readonly installation: {
    readonly id: string;
    readonly key_check: string;
    /** Its installation key, wrapped by the master keys of that moment; omitted if every key came from the master key itself. */
    readonly keys?: readonly BackedUpKey[];
  };
  /** Every migration the database had run, in their order. */
  readonly migrations: readonly { readonly name: string; readonly checksum: string }[];
};

/** The parts that follow in order: a table, then its rows, then the next; sequences last. */
export type BackupPart =
  | { readonly kind: 'table'; readonly name: string; readonly columns: readonly string[] }
  /** Each row as PostgreSQL writes a composite value, so that every value of every type comes back as it was. */
  | { readonly kind: 'rows'; readonly rows: readonly string[] }
  | { readonly kind: 'sequence'; readonly name: string; readonly last_value: string; readonly is_called: boolean };

/** Makes both sides write and read values alike, under all settings of server, database and owner. */
export const SAME_TEXTS =
  "set local timezone to 'UTC'; set local datestyle to 'ISO'; set local intervalstyle to 'postgres'; set local bytea_output to 'hex'; set local extra_float_digits to 1; set local search_path to public";

/** Tables that the migration itself maintains; a restore creates them again. */
export const KEPT_BY_MIGRATING = ['installation', 'installation_keys', 'schema_migrations'];

/**
 * Queries for tables whose rows are not stored unchanged. A feed position is relative to the transactions of its server: after a restore
 * all
 * events precede those, in the order of their ids. So it is stored as the position right before the first unhandled event, or after all of
 * them; a consumer that continues from there gets out-of-order events again. The same
 * applies to ranges between two positions.
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
