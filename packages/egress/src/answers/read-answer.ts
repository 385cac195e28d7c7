import type { IncomingMessage } from 'node:http';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { HIDDEN_SECRET, newHider } from '@svc/domain/credentials/hide-secret.ts';
import type { Expectations } from '@svc/domain/tools/terms/call-terms.ts';
import type { NoSlot, Slot } from '@svc/fairness/semaphore/slot-semaphore.ts';
import type { EgressResult, LargeResult } from '../requests/egress-request.ts';
import { failureReason, isConnectionError } from '../requests/failure-reason.ts';
import type { Hidden } from '../requests/prove-request.ts';
import type { OnEvent } from '../requests/server-event.ts';
import { isDear } from './is-dear.ts';
import type { DearAnswers, LargeAnswers } from './open-large-answers.ts';
import { readBody, type Unreadable } from './read-body.ts';
import { readEvents, saysEvents } from './read-events.ts';
import { countValues, hasFewValues } from './read-json.ts';
import type { LargeBody, Told } from './tell-large.ts';
import { type SmallAnswer, tellSmall, toldHeaders } from './tell-small.ts';

type Timed = { readonly duration_ms: number };
export type Answered = Extract<EgressResult, Timed & { kind: `answered${string}` }>;
/** An answer whose time has not been taken yet. */
export type Answer = Answered extends infer Each ? (Each extends Timed ? Omit<Each, 'duration_ms'> : never) : never;
export type Failed = Extract<EgressResult, { kind: 'failed' }>;

/** How one answer is read. */
export type Reading = {
  readonly masks: readonly string[];
  /** What the call carried in secret, and is hidden where it comes back. */
  readonly hidden: Hidden;
  readonly bytesMax: number;
  /** What parts of a large answer are kept, and what in it is a failure. */
  readonly expects?: Expectations | null;
  /** Whether an answer is told as text alone, whatever it says it is. */
  readonly asText?: boolean;
  /** Whether an answer is told as the bytes it is, and nothing of it is looked at. For calls that carry no secret. */
  readonly asBytes?: boolean;
  /** How an answer that is an event stream is read: as JSON, the data of the event that it returns true for. */
  readonly onEvent?: OnEvent | undefined;
  /** Tells a small answer elsewhere, where it takes long to hide in it what is secret. */
  readonly tellDear: (small: SmallAnswer) => ReturnType<DearAnswers['tell']>;
  /** Null where every answer is told whole, whatever its size. */
  readonly large: {
    /** The right to a large answer; waited for while nothing more of it is read. */
    readonly take: () => Slot | NoSlot | Promise<Slot | NoSlot>;
    readonly tell: (large: LargeBody) => ReturnType<LargeAnswers['tell']>;
  } | null;
};

const NO_ROOM = 'The response was not read: it is large, and too many large responses are being read. Try again later.';
const NOT_HIDDEN = 'The response was not read: masking the secrets of the call in it took too long.';
/** No media type is longer. */
const CONTENT_TYPE_CHARS_MAX = 256;

const { smallAnswerBytesMax, smallAnswerValuesMax, answerValuesMax, toldBytesMax, largeAnswerTakenWithinMs } = LIMITS.egress;

/** A cookie is a credential between the peer and whoever sends it back. Nobody here does. */
const headersOf = ({ headers: { 'set-cookie': _cookies, ...headers } }: IncomingMessage): SmallAnswer['headers'] => headers;

const saysJson = (message: IncomingMessage, { onEvent }: Reading): boolean =>
  /[/+]json\s*(;|$)/i.test(message.headers['content-type'] ?? '') || (onEvent !== undefined && saysEvents(message));

const contentTypeOf = ({ headers: { 'content-type': said } }: IncomingMessage, { secrets, sent }: Hidden): string | undefined => {
  if (said === undefined) return undefined;
  return said.length > CONTENT_TYPE_CHARS_MAX ? HIDDEN_SECRET : newHider(secrets, sent).inText(said);
};

const takesLong = ({ headers, body, saysJson: isJson, hidden }: SmallAnswer): boolean => {
  if (hidden.secrets.length === 0) return false;
  const texts = Object.entries(headers).flat(2);
  const chars = texts.reduce((sum, text) => sum + (text?.length ?? 0), body.length);
  return isDear(hidden, { chars, texts: texts.length + (isJson ? countValues(body) : 1) });
};

const readSmall = async (message: IncomingMessage, bytes: Uint8Array<ArrayBuffer>, reading: Reading): Promise<Answer | undefined> => {
  const { hidden, asText = false, asBytes = false, tellDear } = reading;
  const base = { kind: 'answered', status: message.statusCode ?? 0, bytes: bytes.length } as const;
  const headers = headersOf(message);
  if (asBytes) return { ...base, headers: toldHeaders(headers, newHider(hidden.secrets, hidden.sent)), body: '', raw: bytes };
  const small = { headers, body: bytes, saysJson: !asText && saysJson(message, reading), hidden };
  const told = takesLong(small) ? await tellDear(small) : tellSmall(small);
  return 'kind' in told ? undefined : { ...base, ...told };
};

/** The room is given back at last when nobody has taken the result for long. */
const leased = (json: Uint8Array, slot: Slot): LargeResult => {
  const timer = setTimeout(slot.release, 2 * largeAnswerTakenWithinMs).unref();
  const release = (): void => {
    clearTimeout(timer);
    slot.release();
  };
  return { json, release };
};

const UNTOLD = { unmaskable: 'MASKED', too_large: 'TOO_LARGE', failed: 'UNREADABLE' } as const;

type Large = Pick<Extract<Answer, { kind: 'answered_large' }>, 'kind' | 'status' | 'bytes' | 'contentType'>;

const largeAnswer = (base: Large, told: Told | { readonly kind: 'failed' }, slot: Slot): Answer => {
  if (told.kind === 'told') return { ...base, large: leased(told.json, slot), ...(told.read === undefined ? {} : { read: told.read }) };
  slot.release();
  return { ...base, untold: UNTOLD[told.kind] };
};

/** Events leave this client before the answer does, so that what the call carried in secret is hidden in each. */
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

const isSlot = (taken: Slot | NoSlot | undefined): taken is Slot => typeof taken === 'object';

/**
 * Reads an answer to its end, or says why it cannot be read. A small one is looked at here, or in a thread where hiding
 * takes long, and what has more bytes or values than that in a thread of its own: who reads one holds a slot for it from the first byte beyond the bound until the agent has its result.
 */
export const readAnswer = async (message: IncomingMessage, reading: Reading): Promise<Answer | Failed> => {
  const status = message.statusCode ?? 0;
  const { bytesMax, masks, hidden, large, expects = null } = reading;
  let slot: Slot | NoSlot | undefined;
  const onLarge = async (): Promise<Unreadable | undefined> => {
    slot = await large?.take();
    return isSlot(slot) ? undefined : { unreadable: NO_ROOM };
  };
  const giveBack = (): void => {
    if (isSlot(slot)) slot.release();
  };
  const fail = (reason: string, tooLarge?: true): Failed => {
    giveBack();
    return { kind: 'failed', reason, sent: true, status, ...(tooLarge === undefined ? {} : { tooLarge }) };
  };
  try {
    const bounds = { bytesMax, smallBytesMax: large === null ? bytesMax : smallAnswerBytesMax };
    const { onEvent } = reading;
    const body =
      onEvent !== undefined && saysEvents(message)
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
      contentType: contentTypeOf(message, hidden),
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
