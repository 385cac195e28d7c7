import type { StreamMessage } from './client-types.ts';
import { readFailure, ServiceError } from './errors.ts';

const FRAME_CHARS_MAX = 1_048_576;

/** Fields of one frame, as the HTML standard describes them (server-sent events). Undefined for a frame without data, such as a heartbeat. */
const readFrame = (frame: string): StreamMessage<unknown> | undefined => {
  const fields = { id: '', event: 'message', data: [] as string[] };
  for (const line of frame.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') fields.data.push(value);
    else if (name === 'id' || name === 'event') fields[name] = value;
  }
  if (fields.data.length === 0) return undefined;
  return { id: fields.id, event: fields.event, data: JSON.parse(fields.data.join('\n')) };
};

/** The messages of a server-sent event stream, until it ends. Leaving the loop closes the connection. */
export async function* readStream(response: Response): AsyncGenerator<StreamMessage<unknown>> {
  if (!response.ok) throw await readFailure(response);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let buffered = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      buffered += value.replaceAll('\r\n', '\n');
      const frames = buffered.split('\n\n');
      buffered = frames.pop() ?? '';
      if (buffered.length > FRAME_CHARS_MAX) {
        throw new ServiceError({
          code: 'RESPONSE_UNREADABLE',
          message: `A message in the stream exceeds ${FRAME_CHARS_MAX} characters.`,
        });
      }
      for (const frame of frames) {
        const message = readFrame(frame);
        if (message) yield message;
      }
    }
  } finally {
    await reader.cancel();
  }
}
