/** What a backup begins with: of which database it is, and how that was built. */
export type BackupHead = {
  readonly taken_at: string;
  readonly installation: { readonly id: string; readonly key_check: string };
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
export const KEPT_BY_MIGRATING = ['installation', 'schema_migrations'];
