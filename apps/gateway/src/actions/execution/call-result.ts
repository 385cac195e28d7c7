import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { EgressResult } from '@svc/egress/requests/egress-request.ts';
import type { HttpResult } from '@svc/enforcement/ports/execution-results.ts';
import type { ExecutionCall } from '@svc/enforcement/ports/executors.ts';
import type { AttemptResult } from './make-tries.ts';

const { smallAnswerBytesMax } = LIMITS.egress;

/** A large response of which little was kept is a small one. */
const smallAgain = (result: Extract<EgressResult, { kind: 'answered_large' }>): HttpResult => {
  const { large, read, status, bytes, duration_ms, contentType } = result;
  if (large === undefined || read?.kept === undefined || large.json.length > smallAnswerBytesMax) return result;
  const body = Buffer.from(large.json).toString('utf8');
  large.release();
  return { kind: 'answered', status, bytes, duration_ms, contentType, body, bodyJson: JSON.parse(body), read };
};

const getResult = (result: EgressResult): HttpResult => {
  if (result.kind === 'answered_large') return smallAgain(result);
  if (result.kind !== 'answered') return result;
  const { headers, ...answer } = result;
  return { ...answer, contentType: headers['content-type'] };
};

/** Converts the result of a call for the pipeline. */
export const toCallResult = ({ terms }: ExecutionCall<'http'>, { result, tries }: AttemptResult): HttpResult =>
  terms?.retries ? { ...getResult(result), tries } : getResult(result);
