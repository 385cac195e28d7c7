import type { ApprovalChange } from '@svc/contract/actions/approvals.ts';
import type { StreamEnd } from '@svc/contract/tables/written/stream-ends.ts';
import type { StreamedBytes } from '@svc/http/wires/stream/write-frames.ts';

type Source = AsyncGenerator<StreamedBytes, StreamEnd | undefined>;

const DATA = /^data: (.*)$/m;

/** One frame of the event stream with only the approval and the type; a frame without data, which only moves the position, as it is. */
const toChange = (frame: string): string =>
  frame.replace(DATA, (_, json: string) => {
    const { type, subject } = JSON.parse(json) as { readonly type: ApprovalChange['type']; readonly subject: { readonly id: string } };
    return `data: ${JSON.stringify({ approval_id: subject.id, type } satisfies ApprovalChange)}`;
  });

/** The event stream, reduced to which approval changed and how. Its pieces hold whole frames. */
export async function* changesOnly(events: Source): Source {
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done) return next.value;
    yield { bytes: Buffer.from(next.value.bytes.toString('utf8').split('\n\n').map(toChange).join('\n\n')) };
  }
}
