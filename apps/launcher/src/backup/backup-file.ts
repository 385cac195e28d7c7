import type { BackupHead } from '@svc/postgres/backup/backup-part.ts';

/** First member of the first line; another number says that another release is needed to read it. */
export const FORMAT = 'agent-governance-backup';
export const FORMAT_VERSION = 1;

/** Lines of JSON, packed with gzip: a head, then parts, then an end by which one that is cut off or changed is known. */
export type HeadLine = BackupHead & { readonly format: typeof FORMAT; readonly version: number };

export type EndLine = {
  readonly kind: 'end';
  readonly rows: number;
  /** Of every byte before this line, not packed. */
  readonly sha256: string;
};

/** Said from time to time while a long work goes on. */
export type Progress = (rows: number) => void;
