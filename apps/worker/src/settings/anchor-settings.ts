import path from 'node:path';
import type { SettingsReader } from '@svc/program/settings/read-settings.ts';
import { readWitness, type Witness } from '@svc/program/settings/witness.ts';

/** Where checkpoints are kept outside. */
export type AnchorSettings = {
  readonly file: string | undefined;
  readonly url: string | undefined;
  readonly witnesses: readonly Witness[];
  readonly everySeconds: number;
};

export const readAnchorSettings = (read: SettingsReader): AnchorSettings => {
  const file = read.text('SVC_AUDIT_ANCHOR_FILE');
  return {
    file: file === undefined ? undefined : path.resolve(file),
    url: read.text('SVC_AUDIT_ANCHOR_URL'),
    witnesses: read.list('SVC_AUDIT_WITNESSES').flatMap((item) => {
      const witness = readWitness(item);
      return typeof witness === 'string' ? [] : [witness];
    }),
    everySeconds: read.integer('SVC_AUDIT_ANCHOR_SECONDS'),
  };
};
