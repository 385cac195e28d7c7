import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { sendJsonRefusal } from '../answers/reply.ts';
import { json } from './json.ts';
import { newOpenStreams } from './stream/open-streams.ts';
import type { StillAdmitted, Wire } from './wire.ts';

export type DownloadBounds = {
  readonly [Name in 'perOrganizationMax' | 'totalMax' | 'lifeMs' | 'lookMs' | 'bytesPerSecondMin' | 'graceMs']: number;
};

/** A file that is made while it is read: each part is asked for when the one before is taken. One that throws breaks the answer off. */
export type Download = {
  readonly type: string;
  readonly fileName: string;
  readonly parts: (ended: AbortSignal) => AsyncGenerator<string | Buffer, void>;
};

/** Parts as long as their reader may have them; breaks the file off otherwise. Asked after a part was made and before it is written. */
async function* whileAdmitted<Part>(parts: AsyncGenerator<Part, void>, still: StillAdmitted): AsyncGenerator<Part, void> {
  for await (const part of parts) {
    if (!(await still())) throw new Error('the reader of a download lost access');
    yield part;
  }
}

const FILE_TYPE = 'application/octet-stream';
const BUFFERED_BYTES = 65_536;

const TOO_MANY = refusal('RATE_LIMITED', 'The maximum number of exports is running. Wait until one has finished.', {
  retry_after_seconds: 5,
});

/** As much as can be while nothing waits for the reader: then it is the making that takes so long. */
const takenOf = (raw: ServerResponse): (() => number) => {
  const { socket } = raw;
  const before = socket?.bytesWritten ?? 0;
  return () => (socket && raw.writableNeedDrain ? socket.bytesWritten - socket.writableLength - before : Number.POSITIVE_INFINITY);
};

/** Files of any length. One ends before its time with its credential, after `lifeMs`, when its plane stops, or when others have no room. */
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
