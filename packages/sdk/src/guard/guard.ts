import { act, requestBody } from '../act/act.ts';
import { deriveApprovalKey } from '../act/idempotency-key.ts';
import { reportOutcome } from '../act/report-outcome.ts';
import type { GatewayConnection } from '../exchange/call-gateway.ts';
import type { Decision } from '../wire/answers.ts';
import { ApprovalNarrowed, createError, type GovernanceError } from '../wire/errors.ts';
import type { ActionRequest, GuardOptions, Outcome, SideError } from '../wire/options.ts';
import { isObject } from '../wire/read-members.ts';
import { mayProceed } from './may-proceed.ts';
import { getMaskedArguments, getMaskedResult } from './obey-masks.ts';

/** Maximum time for which an undeliverable report delays the function's result. */
const REPORT_MS_MAX = 10_000;

const ERROR_CHARS_MAX = 2_000;

const oneArgument = (args: readonly unknown[]): ActionRequest => {
  const [only, ...more] = args;
  if (only === undefined && more.length === 0) return {};
  if (more.length > 0 || !isObject(only)) {
    throw new TypeError(
      'A guarded function that does not take exactly one object requires options.request, which maps its arguments to the request.',
    );
  }
  return { parameters: only };
};

const describe = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : typeof error);

const notRun = (decision: Decision): GovernanceError => {
  const failure = { requestId: decision.request_id, details: { decision } };
  if (decision.mode === 'SIMULATE') {
    return createError({
      ...failure,
      code: 'SIMULATED',
      message: `The environment is in SIMULATE mode, so the function was not run. ${decision.reason}`,
    });
  }
  const message = 'This process has nothing to execute: the service executes this tool itself, or the action is closed.';
  return createError({ ...failure, code: 'NOT_FOR_THIS_PROCESS', message });
};

const changed = (decision: Decision): GovernanceError =>
  createError({
    code: 'PARAMETERS_CHANGED',
    message: 'The arguments of the function changed after the decision, so it was not run.',
    requestId: decision.request_id,
    details: { decision },
  });

type OnError = (failure: SideError) => void;

/** Returns the result of some work, or the other value if it throws; never throws itself. */
type Attempt = <Value>(work: () => Value | Promise<Value>, otherwise: Value) => Promise<Value>;

const attempting =
  (actionId: string, onError: OnError): Attempt =>
  async (work, otherwise) => {
    const [settled] = await Promise.allSettled([(async () => work())()]);
    if (settled.status === 'fulfilled') return settled.value;
    onError({ error: settled.reason, during: 'outcome', actionId });
    return otherwise;
  };

/** Returns the part of a result to record; one without a JSON form is reported here, before it could prevent the report of the outcome. */
const keep = <Args extends readonly unknown[], Result>(options: GuardOptions<Args, Result>, result: Result): unknown => {
  const kept = options.result?.(result);
  JSON.stringify(kept);
  return kept;
};

/** Runs the function for a decision that permits it. Its result or exception goes to the caller, even if the report fails. */
const run = async <Args extends readonly unknown[], Result>(
  attempt: Attempt,
  report: (outcome: Outcome) => Promise<unknown>,
  work: () => Result | Promise<Result>,
  shown: (result: Result) => Result,
  options: GuardOptions<Args, Result>,
): Promise<Result> => {
  const reported = (outcome: Outcome) => attempt(() => report(outcome), undefined);
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    const text = await attempt(() => (options.describeError ?? describe)(error), 'Unknown error: describeError failed.');
    await reported({ status: 'FAILED', error: text.slice(0, ERROR_CHARS_MAX).toWellFormed() });
    throw error;
  }
  await reported({ status: 'COMPLETED', result: await attempt(() => keep(options, shown(result)), undefined) });
  return shown(result);
};

/** Copies only what is judged: an additional idempotency key would let one permission run the function twice. */
const judgedPart = ({ parameters, amount, currency, destination, delegationId, approvalId }: ActionRequest): ActionRequest =>
  Object.fromEntries(
    Object.entries({ parameters, amount, currency, destination, delegationId, approvalId }).filter(([, value]) => value !== undefined),
  );

/** A requested call: its judged arguments, and the request. */
type Judged<Args> = { readonly args: Args; readonly request: () => ActionRequest; readonly body: string; readonly decision: Decision };

/** Requests a call; if an approver edited it and the caller provides arguments for that, for those. */
const judge = async <Args extends readonly unknown[], Result>(
  connection: GatewayConnection,
  tool: string,
  options: GuardOptions<Args, Result>,
  args: Args,
  narrowedBy?: string,
): Promise<Judged<Args>> => {
  const request = (): ActionRequest => {
    const asked = judgedPart(options.request ? options.request(...args) : oneArgument(args));
    return narrowedBy === undefined ? asked : { ...asked, approvalId: narrowedBy };
  };
  const key =
    narrowedBy === undefined
      ? { waitForApproval: options.waitForApproval ?? false }
      : { idempotencyKey: await deriveApprovalKey(narrowedBy, requestBody(tool, request())) };
  // Nothing is awaited between this and the sending, so what is judged is what is compared before the function runs.
  const asked = request();
  const body = requestBody(tool, asked);
  try {
    return { args, request, body, decision: await act(connection, tool, { ...asked, ...key }) };
  } catch (error) {
    const goOn = error instanceof ApprovalNarrowed && (await options.narrowed?.(error.approved, ...args));
    if (!goOn) throw error;
    return judge(connection, tool, options, goOn, error.approvalId);
  }
};

/** Wraps a function with the gateway's decision: each call is requested, runs only if permitted, and its outcome is reported. */
export const guard =
  <Args extends readonly unknown[], Result>(
    connection: GatewayConnection,
    tool: string,
    fn: (...args: Args) => Result | Promise<Result>,
    options: GuardOptions<Args, Result>,
    onError: OnError,
  ): ((...args: Args) => Promise<Result>) =>
  async (...given) => {
    const { args, request, body, decision } = await judge(connection, tool, options, given);
    const actionId = decision.action_id;
    if (!mayProceed(decision) || actionId === null) throw notRun(decision);
    const timeoutMs = Math.min(connection.timeoutMs, REPORT_MS_MAX);
    return run(
      attempting(actionId, onError),
      (outcome) => reportOutcome(connection, actionId, outcome, { timeoutMs }),
      () => {
        if (requestBody(tool, request()) !== body) throw changed(decision);
        return fn(...getMaskedArguments(decision, options, args));
      },
      (result) => getMaskedResult(decision, result),
      options,
    );
  };
