import type { ActionRequest } from '@svc/contract/actions/actions.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { findWideningFaults, isSame } from '@svc/domain/actions/approvals/narrow.ts';
import type { Fault } from '@svc/domain/tools/fault.ts';
import { decide, type PipelineVerdict } from '@svc/enforcement/decision/decide.ts';
import type { Asking } from '@svc/enforcement/facts/decision-request.ts';
import type { Facts } from '@svc/enforcement/facts/facts.ts';
import { matchesHash, requestHash } from '@svc/enforcement/facts/request-hash.ts';
import { failClosed, failClosedAtOnce } from '@svc/enforcement/ports/fail-closed.ts';
import { type FactsRefusal, gatherFacts } from '@svc/enforcement/ports/gather-facts.ts';
import type { Ports } from '@svc/enforcement/ports/ports.ts';
import type { HeldRequest, NewWording } from '@svc/postgres/actions/approvals/wordings.ts';

export type RequestEdit = { readonly parameters: Readonly<Record<string, unknown>>; readonly amount?: number | undefined };

/** The edited request as it would be used; or why the edit is refused. */
export type JudgedEdit = Pick<NewWording, 'parameters' | 'amount' | 'request_hash'>;
type NotSo = FactsRefusal | Refusal<'VALIDATION_FAILED' | 'UNPROCESSABLE'>;

type Judging = Pick<Asking, 'organizationId' | 'requestId' | 'traceId'>;

const ATTEMPTS_MAX = 3;

/** Reads the current facts, so that no one edits by an outdated declaration or outdated rules. */
const gatherNewest = async (ports: Ports, asking: Asking): Promise<Facts | FactsRefusal> => {
  for (let attempt = 1; ; attempt += 1) {
    const facts = await gatherFacts(ports, asking);
    if (isRefusal(facts)) return facts;
    const { environment, agent } = facts;
    const current = await failClosed('POLICY_SERVICE_UNAVAILABLE', ports, asking, () => ports.governance.isCurrent(environment, agent));
    if (isRefusal(current)) return current;
    if (current || attempt === ATTEMPTS_MAX) return facts;
    ports.governance.forget(environment, agent);
  }
};

const askingOf = (judging: Judging, held: HeldRequest, request: ActionRequest): Asking => {
  const parametersJson = JSON.stringify(request.parameters ?? {});
  return {
    ...judging,
    agentId: held.agent_id,
    principal: { ...held.requested_by, name: null },
    session: null,
    source: null,
    request,
    parametersJson,
    parametersBytes: Buffer.byteLength(parametersJson),
    idempotency: null,
  };
};

type Judged = { readonly facts: Facts; readonly verdict: PipelineVerdict; readonly request: ActionRequest };

const judge = async (ports: Ports, judging: Judging, held: HeldRequest, request: ActionRequest): Promise<Judged | FactsRefusal> => {
  const asking = askingOf(judging, held, request);
  const facts = await gatherNewest(ports, asking);
  if (isRefusal(facts)) return facts;
  const verdict = failClosedAtOnce('POLICY_SERVICE_UNAVAILABLE', ports, asking, () => decide(facts, 'evaluate'));
  return isRefusal(verdict) ? verdict : { facts, verdict, request };
};

const stated = (held: HeldRequest, delegation_id: string | null): ActionRequest => ({
  tool: held.tool,
  parameters: { ...held.parameters },
  ...(held.amount === null ? {} : { amount: held.amount }),
  ...(held.currency === null ? {} : { currency: held.currency }),
  ...(held.destination === null ? {} : { destination: held.destination }),
  ...(delegation_id === null ? {} : { delegation_id }),
});

const LOST =
  'The complete request is not available, because rules mask a part of it, or its tool or authority changed. It can only be approved or denied without changes.';

/** Finds the original request. It can only be edited if the recorded one has exactly the hash that the approval is bound to. */
const findAsked = async (ports: Ports, judging: Judging, held: HeldRequest): Promise<Judged | FactsRefusal | Refusal<'UNPROCESSABLE'>> => {
  for (const delegation of new Set([null, held.delegation_id])) {
    const judged = await judge(ports, judging, held, stated(held, delegation));
    if (isRefusal(judged)) return judged;
    const { facts, verdict } = judged;
    if (verdict.learned.derived && verdict.learned.tool && matchesHash(held.request_hash, requestHash(facts, verdict.learned)))
      return judged;
  }
  return buildRefusal('UNPROCESSABLE', LOST);
};

/** Applies the edit to the request. Members that the tool derives from parameters are not stated again. */
const editedRequest = ({ request, verdict }: Judged, edit: RequestEdit): ActionRequest => {
  const { tool } = verdict.learned;
  const { amount, currency, destination, ...rest } = request;
  const asked = edit.amount ?? (tool?.amount_from ? undefined : amount);
  return {
    ...rest,
    parameters: { ...edit.parameters },
    ...(asked === undefined ? {} : { amount: asked }),
    ...(currency === undefined || tool?.currency_from ? {} : { currency }),
    ...(destination === undefined || tool?.destination_from ? {} : { destination }),
  };
};

const NOTHING = { narrowable: [], amount_from: null };

const listFaults = (before: Judged, after: Judged, edit: RequestEdit): Fault[] => {
  const [asked, edited] = [before.verdict.learned.derived, after.verdict.learned.derived];
  const { narrowable, amount_from } = before.verdict.learned.tool ?? NOTHING;
  const faults = findWideningFaults(before.request.parameters ?? {}, edit.parameters, { narrowable, amount_from });
  if (!asked || !edited) return faults;
  const at = edit.amount === undefined ? `/parameters${amount_from ?? ''}` : '/amount';
  const isTold = faults.some(({ pointer }) => pointer === at);
  if ((edited.amount ?? 0) > (asked.amount ?? 0) && !isTold) faults.push({ pointer: at, message: 'may be lowered, but not raised' });
  if (edited.currency !== asked.currency) faults.push({ pointer: '/parameters', message: 'must not change the currency' });
  const [from, to] = [asked.destination, edited.destination];
  if (from?.host !== to?.host || from?.port !== to?.port)
    faults.push({ pointer: '/parameters', message: 'must not change the destination' });
  return faults;
};

/**
 * Judges an edit like the pipeline judges the request: it must fit the tool, request nothing more, and not be refused by the rules. The
 * rules are evaluated again when it runs.
 */
export const judgeEdit = async (ports: Ports, judging: Judging, held: HeldRequest, edit: RequestEdit): Promise<JudgedEdit | NotSo> => {
  const before = await findAsked(ports, judging, held);
  if (isRefusal(before)) return before;
  const isUnchanged = isSame(before.request.parameters, edit.parameters) && (edit.amount === undefined || edit.amount === held.amount);
  if (isUnchanged) return buildRefusal('UNPROCESSABLE', 'The edit changes nothing. Approve the request without changes.');
  const after = await judge(ports, judging, held, editedRequest(before, edit));
  if (isRefusal(after)) return after;
  const { facts, verdict } = after;
  const faults = listFaults(before, after, edit);
  if (faults.length > 0)
    return buildRefusal('VALIDATION_FAILED', 'An edit can only lower numbers or remove elements, where the tool allows it.', { faults });
  if (verdict.code === 'VALIDATION_FAILED') return buildRefusal('VALIDATION_FAILED', verdict.reason, verdict.details);
  if (verdict.outcome === 'refused')
    return buildRefusal('UNPROCESSABLE', 'With these changes, the request would be refused.', {
      code: verdict.code,
      reason: verdict.reason,
    });
  const { keyed } = requestHash(facts, verdict.learned);
  return { parameters: edit.parameters, amount: verdict.learned.derived?.amount ?? null, request_hash: keyed };
};
