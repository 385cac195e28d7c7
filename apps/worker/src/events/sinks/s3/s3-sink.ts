import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { AwsV4Signer } from 'aws4fetch';
import { callSink, formatAddress } from '../call-sink.ts';
import { getPath, type SinkKind } from '../sink.ts';

/** An S3-compatible store: one object of JSON lines per batch, by the day of its first event. A redelivered batch has the same name. */
export const S3: SinkKind = {
  protocols: ['s3+https:', 's3+http:'],
  example: 's3+https://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket/events?region=eu-central-1',
  fault: (url) => {
    if (url.username === '' || url.password === '') return 'The access key is missing: put KEY:SECRET@ before the host.';
    return getPath(url) === '' ? 'The path must name a bucket, and may name a folder in it.' : undefined;
  },
  open: (url, { egress, clock }) => ({
    deliver: async (events) => {
      const [first, last] = [events.at(0), events.at(-1)];
      if (first === undefined || last === undefined) return;
      const body = events.map((event) => `${JSON.stringify(event)}\n`).join('');
      const day = first.occurred_at.slice(0, 10).replaceAll('-', '/');
      const signer = new AwsV4Signer({
        method: 'PUT',
        url: `${formatAddress(url)}/${day}/${first.id}-${last.id}.ndjson`,
        service: 's3',
        region: url.searchParams.get('region') ?? 'us-east-1',
        accessKeyId: decodeURIComponent(url.username),
        secretAccessKey: decodeURIComponent(url.password),
        datetime: clock()
          .toISOString()
          .replace(/[:-]|\.\d{3}/g, ''),
        headers: { 'x-amz-content-sha256': sha256Hex(body), 'content-type': 'application/x-ndjson' },
      });
      const signed = await signer.sign();
      const headers = Object.fromEntries([...signed.headers].filter(([name]) => name !== 'host'));
      await callSink(egress, { method: 'PUT', url: signed.url.href, headers, body });
    },
    close: async () => {},
  }),
};
