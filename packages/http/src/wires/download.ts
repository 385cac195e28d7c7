import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buildRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sendJsonRefusal } from '../answers/reply.ts';
import { json } from './json.ts';
import { newOpenStreams } from './stream/open-streams.ts';
import type { StillAdmitted, Wire } from './wire.ts';

export type DownloadBounds = {
  readonly [Name in 'perOrganizationMax' | 'totalMax' | 'lifeMs' | 'lookMs' | 'bytesPerSecondMin' | 'graceMs']: number;
};

/** A file that is generated while it is read: each part is produced when the previous one is taken. An exception aborts the response. */
export type Download = {
  readonly type: string;
  readonly fileName: string;
  readonly parts: (ended: AbortSignal) => AsyncGenerator<string | Buffer, void>;
};

/**
 * Yields parts while the reader has access; aborts the file otherwise. Access is checked after a part was produced and before it is
 * written.
 */
async function* whileAdmitted<Part>(parts: AsyncGenerator<Part, void>, still: StillAdmitted): AsyncGenerator<Part, void> {
  for await (const part of parts) {
    if (!(await still())) throw new Error('the reader of a download lost access');
    yield part;
  }
}

const FILE_TYPE = 'application/octet-stream';
const BUFFERED_BYTES = 65_536;

const TOO_MANY = buildRefusal('RATE_LIMITED', 'The maximum number of exports is running. Wait until one has finished.', {
  retry_after_seconds: 5,
});

/** Returns the bytes taken by the reader; infinite while nothing waits for it, since then producing is the slow part. */
const takenOf = (raw: ServerResponse): (() => number) => {
  const { socket } = raw;
  const before = socket?.bytesWritten ?? 0;
  return () => (socket && raw.writableNeedDrain ? socket.bytesWritten - socket.writableLength - before : Number.POSITIVE_INFINITY);
};

/** Files of any length. A download ends early with its credential, after `lifeMs`, when its plane stops, or if others have no slot. */
export const newDownload = (bounds: DownloadBounds = LIMITS.exports): Wire => {
  const open = newOpenStreams(bounds);
  return {
    reads: json.reads,
    answer: (reply, status, result, still) => {
      const { type, fileName, parts } = result as Download;
      reply
        .code(status)
        .header('content-type', type)
        .header('content-disposition', `attachment; filename="${fileName}"`)
        .header('cross-origin-resource-policy', 'same-origin');
      if (reply.request.method === 'HEAD') return reply.send(Readable.from([]));
      const opened = open.open(reply.request.admitted?.scope.organization_id ?? '', still, takenOf(reply.raw));
      if (opened === undefined) {
        reply.removeHeader('content-disposition');
        return sendJsonRefusal(reply, TOO_MANY);
      }
      const { ended, close } = opened;
      const { raw } = reply;
      raw.once('close', close);
      if (raw.closed) close();
      ended.addEventListener('abort', () => setTimeout(() => raw.destroy(), LIMITS.connections.unreadMs).unref(), { once: true });
      return reply
        .header('x-accel-buffering', 'no')
        .send(Readable.from(whileAdmitted(parts(ended), still), { objectMode: false, highWaterMark: BUFFERED_BYTES }));
    },
    refuse: sendJsonRefusal,
    told: (row) => ({ ...json.told(row), answer: FILE_TYPE }),
    close: open.closeAll,
  };
};
