import type { Egress } from '@svc/egress/create-egress.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { AwsV4Signer } from 'aws4fetch';
import type { BucketSettings } from '../../../../settings/anchor-settings.ts';
import { type Anchor, type AnchoredCheckpoint, conflictAnchor, failAnchor, type SignedLog } from '../anchor.ts';
import { type AnchorResponse, callPlace, describeUnexpectedStatus, isAnswer } from './call.ts';

type Deps = { readonly bucket: BucketSettings; readonly egress: Egress; readonly clock: () => Date };

/** Makes names sort like sizes. */
const SIZE_DIGITS = 16;
const getObject = ({ url }: BucketSettings, { origin, size }: SignedLog): string =>
  `${url}/${origin}/${String(size).padStart(SIZE_DIGITS, '0')}`;

/** Sends a request signed with AWS Signature Version 4, including its body. */
const send = async (
  { bucket, egress, clock }: Deps,
  log: SignedLog,
  method: 'PUT' | 'GET',
): Promise<AnchorResponse | AnchoredCheckpoint> => {
  const body = method === 'PUT' ? log.note : undefined;
  const signer = new AwsV4Signer({
    method,
    url: getObject(bucket, log),
    service: 's3',
    region: bucket.region,
    accessKeyId: bucket.accessKeyId,
    secretAccessKey: bucket.secretAccessKey,
    datetime: clock()
      .toISOString()
      .replace(/[:-]|\.\d{3}/g, ''),
    headers: {
      'x-amz-content-sha256': sha256Hex(body ?? ''),
      ...(body === undefined ? {} : { 'content-type': 'text/plain; charset=utf-8', 'if-none-match': '*' }),
    },
  });
  const signed = await signer.sign();
  const headers = Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host'));
  return callPlace(egress, { method, url: signed.url.href, headers, ...(body === undefined ? {} : { body }), tenant: log.organizationId });
};

/** Returns origin, size and root of a checkpoint, without its signatures. */
const getBody = (note: string): string => note.slice(0, note.indexOf('\n\n'));

/** Compares the stored object of the name: the checkpoint itself, from an attempt whose response was lost, or another one. */
const compareKept = async (deps: Deps, log: SignedLog): Promise<AnchoredCheckpoint> => {
  const said = await send(deps, log, 'GET');
  if (!isAnswer(said)) return said;
  if (said.status !== 200) return describeUnexpectedStatus(said.status);
  return getBody(said.body) === getBody(log.note)
    ? { kind: 'placed' }
    : conflictAnchor(`The bucket contains another checkpoint with ${log.size} leaves: the log was rewritten.`);
};

/** A bucket of an S3-compatible store: an object per checkpoint, written once and never replaced. */
export const newBucketAnchor = (name: string, deps: Deps): Anchor => ({
  name,
  place: async (log) => {
    const said = await send(deps, log, 'PUT');
    if (!isAnswer(said)) return said;
    if (said.status >= 200 && said.status < 300) return { kind: 'placed' };
    if (said.status === 412) return compareKept(deps, log);
    if (said.status === 403) return failAnchor('The bucket rejected the access key, or the clock of the worker is wrong (403).');
    return said.status === 501
      ? failAnchor('The store does not support conditional writes (If-None-Match), which prevent replacing a checkpoint.')
      : describeUnexpectedStatus(said.status);
  },
});
