import path from 'node:path';
import type { SettingsReader } from '@svc/program/settings/read-settings.ts';
import { readWitness, type Witness } from '@svc/program/settings/witness.ts';

/** A bucket and its credentials; objects are named below its address. */
export type BucketSettings = {
  readonly url: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** External anchors of checkpoints. */
export type AnchorSettings = {
  readonly file: string | undefined;
  readonly url: string | undefined;
  readonly bucket: BucketSettings | undefined;
  readonly witnesses: readonly Witness[];
  readonly everySeconds: number;
};

const readBucket = (read: SettingsReader): BucketSettings | undefined => {
  const [url, key] = [read.text('SVC_AUDIT_ANCHOR_BUCKET'), read.text('SVC_AUDIT_ANCHOR_BUCKET_KEY')];
  if (url === undefined || key === undefined) return undefined;
  const at = key.indexOf(':');
  return {
    url: url.replace(/(?<!\/)\/+$/, ''),
    region: read.text('SVC_AUDIT_ANCHOR_BUCKET_REGION'),
    accessKeyId: key.slice(0, at),
    secretAccessKey: key.slice(at + 1),
  };
};

/** Returns what is wrong with the combination of anchor settings. */
export const findAnchorFaults = (read: SettingsReader): readonly string[] => {
  const isWhole = (read.text('SVC_AUDIT_ANCHOR_BUCKET') === undefined) === (read.text('SVC_AUDIT_ANCHOR_BUCKET_KEY') === undefined);
  return isWhole ? [] : ['SVC_AUDIT_ANCHOR_BUCKET and SVC_AUDIT_ANCHOR_BUCKET_KEY must be set together: set both, or neither.'];
};

export const readAnchorSettings = (read: SettingsReader): AnchorSettings => {
  const file = read.text('SVC_AUDIT_ANCHOR_FILE');
  return {
    file: file === undefined ? undefined : path.resolve(file),
    url: read.text('SVC_AUDIT_ANCHOR_URL'),
    bucket: readBucket(read),
    witnesses: read.list('SVC_AUDIT_WITNESSES').flatMap((item) => {
      const witness = readWitness(item);
      return typeof witness === 'string' ? [] : [witness];
    }),
    everySeconds: read.integer('SVC_AUDIT_ANCHOR_SECONDS'),
  };
};
