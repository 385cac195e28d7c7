import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { HIDDEN_SECRET, newHider } from '@svc/domain/credentials/hide-secret.ts';
import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import type { NoSlot, SemaphoreSlot } from '@svc/fairness/semaphore/slot-semaphore.ts';
import type { EgressResult, ReleasableBody } from '../requests/egress-request.ts';
import { failureReason, isConnectionError } from '../requests/failure-reason.ts';
import type { Hidden } from '../requests/prove-request.ts';
import type { OnEvent } from '../requests/server-event.ts';
import type { LargeBody, LargeText } from './describe-large-answer.ts';
import { describeSmallAnswer, maskHeaders, type SmallAnswer } from './describe-small-answer.ts';
import { isSlowToMask } from './is-slow-to-mask.ts';
import type { LargeAnswers, SlowResponses } from './open-large-answers.ts';
import { readBody, type Unreadable } from './read-body.ts';
import { isEventStream, readEvents } from './read-events.ts';
import { countValues, hasFewValues } from './read-json.ts';

type Timed = { readonly duration_ms: number };
export type ReadResponse = Extract<EgressResult, Timed & { kind: `answered${string}` }>;
/** A response without its duration. */
export type UntimedResponse = ReadResponse extends infer Each ? (Each extends Timed ? Omit<Each, 'duration_ms'> : never) : never;
export type FailedResponse = Extract<EgressResult, { kind: 'failed' }>;

/** How to read one response. */
export type ResponseReading = {
  readonly masks: readonly string[];
  /** Secrets of the call, masked if they are echoed. */
  readonly hidden: Hidden;
  readonly bytesMax: number;
  /** The parts of a large response to keep, and what in it indicates a failure. */
  readonly expects?: Expectations | null;
  /** True to return the body as text and ignore its media type. */
  readonly asText?: boolean;
  /** True to return the body as bytes, without inspecting it. For calls that carry no secret. */
  readonly asBytes?: boolean;
  /** Reads a response that is an event stream: as JSON, the data of the event for which it returns true. */
  readonly onEvent?: OnEvent | undefined;
  /** Reads a small response in a worker thread if masking its secrets takes long. */
  readonly tellDear: (small: SmallAnswer) => ReturnType<SlowResponses['tell']>;
  /** Null if responses of every size are returned whole. */
  readonly large: {
    /** Acquires the slot for a large response; reading pauses meanwhile. */
    readonly take: () => SemaphoreSlot | NoSlot | Promise<SemaphoreSlot | NoSlot>;
    readonly tell: (large: LargeBody) => ReturnType<LargeAnswers['tell']>;
  } | null;
};

const NO_ROOM = 'The response was not read: it is large, and too many large responses are being read. Try again later.';
const NOT_HIDDEN = 'The response was not read: masking the secrets of the call in it took too long.';
/** No media type is longer. */
const CONTENT_TYPE_CHARS_MAX = 256;

const { smallAnswerBytesMax, smallAnswerValuesMax, answerValuesMax, toldBytesMax, largeAnswerTakenWithinMs } = LIMITS.egress;

/** A cookie is a credential for the client that sends it back. This client never does. */
const getHeaders = ({ headers: { 'set-cookie': _cookies, ...headers } }: IncomingMessage): SmallAnswer['headers'] => headers;

const saysJson = (message: IncomingMessage, { onEvent }: ResponseReading): boolean =>
  /[/+]json\s*(;|$)/i.test(message.headers['content-type'] ?? '') || (onEvent !== undefined && isEventStream(message));

const getContentType = ({ headers: { 'content-type': said } }: IncomingMessage, { secrets, sent }: Hidden): string | undefined => {
  if (said === undefined) return undefined;
  return said.length > CONTENT_TYPE_CHARS_MAX ? HIDDEN_SECRET : newHider(secrets, sent).inText(said);
};

const takesLong = ({ headers, body, saysJson: isJson, hidden }: SmallAnswer): boolean => {
  if (hidden.secrets.length === 0) return false;
  const texts = Object.entries(headers).flat(2);
  const chars = texts.reduce((sum, text) => sum + (text?.length ?? 0), body.length);
  return isSlowToMask(hidden, { chars, texts: texts.length + (isJson ? countValues(body) : 1) });
};

const readSmall = async (
  message: IncomingMessage,
  bytes: Uint8Array<ArrayBuffer>,
  reading: ResponseReading,
): Promise<UntimedResponse | undefined> => {
  const { hidden, asText = false, asBytes = false, tellDear } = reading;
  const base = { kind: 'answered', status: message.statusCode ?? 0, bytes: bytes.length } as const;
  const headers = getHeaders(message);
  if (asBytes) return { ...base, headers: maskHeaders(headers, newHider(hidden.secrets, hidden.sent)), body: '', raw: bytes };
  const small = { headers, body: bytes, saysJson: !asText && saysJson(message, reading), hidden };
  const told = takesLong(small) ? await tellDear(small) : describeSmallAnswer(small);
  return 'kind' in told ? undefined : { ...base, ...told };
};

/** The capacity is freed at last when the result is not taken for a long time. */
const leased = (json: Uint8Array, slot: SemaphoreSlot): ReleasableBody => {
  const timer = setTimeout(slot.release, 2 * largeAnswerTakenWithinMs).unref();
  const release = (): void => {
    clearTimeout(timer);
    slot.release();
  };
  return { json, release };
};

const UNTOLD = { unmaskable: 'MASKED', too_large: 'TOO_LARGE', failed: 'UNREADABLE' } as const;

type Large = Pick<Extract<UntimedResponse, { kind: 'answered_large' }>, 'kind' | 'status' | 'bytes' | 'contentType'>;

const largeAnswer = (base: Large, told: LargeText | { readonly kind: 'failed' }, slot: SemaphoreSlot): UntimedResponse => {
  if (told.kind === 'told') return { ...base, large: leased(told.json, slot), ...(told.read === undefined ? {} : { read: told.read }) };
  slot.release();
  return { ...base, untold: UNTOLD[told.kind] };
};

/** Events leave this client before the response does, so that the secrets of the call are masked in each. */
const withoutSecrets = (onEvent: OnEvent, { secrets, sent }: Hidden): OnEvent => {
  const hider = newHider(secrets, sent);
  return (event) =>
    onEvent({
      ...event,
      event: hider.inText(event.event),
      data: hider.inText(event.data),
      ...(event.id === undefined ? {} : { id: hider.inText(event.id) }),
    });
};

const isSlot = (taken: SemaphoreSlot | NoSlot | undefined): taken is SemaphoreSlot => typeof taken === 'object';

/**
 * Reads a response to its end, or returns why it cannot be read. A small one is parsed here, or in a worker thread if masking takes
 * long; one with more bytes or values is parsed in another worker thread: its reader holds a slot from the first byte beyond the bound
 * until the agent has the result.
 */
export const readAnswer = async (message: IncomingMessage, reading: ResponseReading): Promise<UntimedResponse | FailedResponse> => {
  const status = message.statusCode ?? 0;
  const { bytesMax, masks, hidden, large, expects = null } = reading;
  let slot: SemaphoreSlot | NoSlot | undefined;
  const onLarge = async (): Promise<Unreadable | undefined> => {
    slot = await large?.take();
    return isSlot(slot) ? undefined : { unreadable: NO_ROOM };
  };
  const giveBack = (): void => {
    if (isSlot(slot)) slot.release();
  };
  const fail = (reason: string, tooLarge?: true): FailedResponse => {
    giveBack();
    return { kind: 'failed', reason, sent: true, status, ...(tooLarge === undefined ? {} : { tooLarge }) };
  };
  try {
    const bounds = { bytesMax, smallBytesMax: large === null ? bytesMax : smallAnswerBytesMax };
    const { onEvent } = reading;
    const body =
      onEvent !== undefined && isEventStream(message)
        ? await readEvents(message, bounds, onLarge, withoutSecrets(onEvent, hidden))
        : await readBody(message, bounds, onLarge);
    if ('unreadable' in body) return fail(body.unreadable, body.tooLarge);
    if (large === null || (slot === undefined && (!saysJson(message, reading) || hasFewValues(body, smallAnswerValuesMax))))
      return (await readSmall(message, body, reading)) ?? fail(NOT_HIDDEN);
    slot ??= await large.take();
    const base = {
      kind: 'answered_large',
      status,
      bytes: body.length,
      contentType: getContentType(message, hidden),
    } as const;
    if (!isSlot(slot)) return { ...base, untold: 'UNREADABLE' };
    const asked = {
      body,
      saysJson: saysJson(message, reading),
      masks,
      hidden,
      expects,
      valuesMax: answerValuesMax,
      bytesMax: toldBytesMax,
    };
    return largeAnswer(base, await large.tell(asked), slot);
  } catch (error) {
    giveBack();
    if (!isConnectionError(error)) throw error;
    return fail(failureReason(error));
  }
};
