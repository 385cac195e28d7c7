import type { ApprovalChange } from '@svc/contract/actions/approvals.ts';
import type { StreamEnd } from '@svc/contract/tables/written/stream-ends.ts';
import type { StreamedBytes } from '@svc/http/wires/stream/write-frames.ts';

type Source = AsyncGenerator<StreamedBytes, StreamEnd | undefined>;

const DATA = /^data: (.*)$/m;

/** Reduces a frame of the event stream to the approval and the type. A frame without data only moves the position and is unchanged. */
const toChange = (frame: string): string =>
  frame.replace(DATA, (_, json: string) => {
    const { type, subject } = JSON.parse(json) as { readonly type: ApprovalChange['type']; readonly subject: { readonly id: string } };
    return `data: ${JSON.stringify({ approval_id: subject.id, type } satisfies ApprovalChange)}`;
  });

/** Reduces the event stream to which approval changed and how. Each chunk holds whole frames. */
export async function* filterApprovalChanges(events: Source): Source {
  for (let next = await events.next(); ; next = await events.next()) {
    if (next.done) return next.value;
    yield { bytes: Buffer.from(next.value.bytes.toString('utf8').split('\n\n').map(toChange).join('\n\n')) };
  }
}
