import type { BackupHead } from '@svc/postgres/backup/backup-part.ts';

/** First member of the first line; another version needs another release to read it. */
export const FORMAT = 'agent-governance-backup';
export const FORMAT_VERSION = 1;

/** JSON lines, gzipped: a head, then parts, then an end that detects truncation and changes. */
export type HeadLine = BackupHead & { readonly format: typeof FORMAT; readonly version: number };

export type EndLine = {
  readonly kind: 'end';
  readonly rows: number;
  /** SHA-256 of all bytes before this line, uncompressed. */
  readonly sha256: string;
};

/** Called periodically during long work. */
export type OnProgressRows = (rows: number) => void;
