import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { RewriteProposal } from '@svc/contract/tools/code-assist.ts';
import { findSourceFault } from '@svc/domain/tools/code-assist/placeholders.ts';
import { readEdits } from '@svc/domain/tools/code-assist/read-edits.ts';
import { rewriteMessage } from '@svc/domain/tools/code-assist/rewrite-message.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { countUse } from '@svc/operations/tools/code-assist/count-use.ts';
import { type RewriteRecord, recordRewrite } from '@svc/operations/tools/code-assist/record-rewrite.ts';
import type { ToolsDeps } from '../deps.ts';
import type { CodeAssist } from './asking/open-code-assist.ts';
import { parseInWorkerProcess } from './parsing/parse-aside.ts';

type Row = Endpoints['rewriteGuardCalls'];
type Rewriting = Call<Row>;
type Usage = RewriteProposal['usage'];
type Outcome = Pick<RewriteProposal, 'changes' | 'patch' | 'checks' | 'usage' | 'refusal'>;
type Refused = NonNullable<RewriteProposal['refusal']>;

const OFF = 'Code assist is off. An operator turns it on with SVC_CODE_ASSIST=on.';
const NO_USAGE: Usage = { input_tokens: 0, output_tokens: 0 };

const refusedOutcome = (code: Refused['code'], sentence: string, usage: Usage, checks: Outcome['checks'] = []): Outcome => ({
  changes: [],
  patch: null,
  checks,
  usage,
  refusal: { code, sentence },
});

const bodyFault = ({ body, fault }: Rewriting, { models }: CodeAssist): Refusal<'VALIDATION_FAILED'> | undefined => {
  if (!models.includes(body.model)) return fault('/model', 'is no model of this service');
  const twice = body.tools.findIndex(({ key }, at) => body.tools.slice(0, at).some((other) => other.key === key));
  if (twice !== -1) return fault(`/tools/${twice}/key`, 'is named twice');
  const found = findSourceFault(body.source);
  if (found !== undefined) return fault('/source', `line ${found.line} ${found.message}`);
  const told = body.tools.findIndex(({ reason }) => findSourceFault(reason) !== undefined);
  return told === -1 ? undefined : fault(`/tools/${told}/reason`, 'contains a text that looks like a secret, or invisible characters');
};

const propose = async (
  call: Rewriting,
  assist: CodeAssist,
): Promise<Outcome | { readonly failed: string } | Refusal<'VALIDATION_FAILED'>> => {
  const { language, file, source, tools, model } = call.body;
  const asked = { language, file, source };
  const found = await parseInWorkerProcess({ kind: 'find', ...asked, tools });
  if (found.kind !== 'found') {
    const at = found.kind === 'fault' ? found.at : undefined;
    return call.fault(at === undefined ? '/source' : `/tools/${at}`, found.kind === 'fault' ? found.message : 'cannot be parsed');
  }
  const calls = tools.map((tool, at) => ({ ...tool, call: found.calls[at] ?? '' }));
  const marker = `source-${call.newId('code_assist')}`;
  const answer = await assist.ask(call.scope.organization_id, model, rewriteMessage(language, source, calls, marker));
  if ('failed' in answer) return answer;
  if ('fault' in answer) return refusedOutcome('ANSWER', answer.fault, NO_USAGE);
  const edits = readEdits(
    answer.text,
    tools.map(({ key }) => key),
  );
  if ('fault' in edits) return refusedOutcome('ANSWER', edits.fault, answer.usage);
  const checked = await parseInWorkerProcess({ kind: 'check', ...asked, edits });
  if (checked.kind !== 'checked') return refusedOutcome('SYNTAX', 'A new call is no valid code.', answer.usage);
  const checks = checked.checks.map(({ name, passed }) => ({ name, passed }));
  const failed = checks.find(({ passed }) => !passed);
  if (failed) return refusedOutcome('CHECK', `The check ${failed.name} failed.`, answer.usage, checks);
  const { changes, patch } = checked.assembled;
  return { changes: [...changes], patch, checks, usage: answer.usage, refusal: null };
};

/** Asks a model for new guard calls, and returns them only if nothing else changes. No source is stored. */
export const rewriteGuardCalls: Handler<Row, ToolsDeps> = async (call, { codeAssist }) => {
  if (codeAssist === undefined) return call.refuse('UNPROCESSABLE', OFF);
  const fault = bodyFault(call, codeAssist);
  if (fault) return fault;
  const counted = await call.change((change) => countUse(change, asActing(call), codeAssist.perHour));
  if (isRefusal(counted)) return counted;
  const { model, language, file, source, tools } = call.body;
  const proposal_id = call.newId('code_assist');
  const source_hash = sha256Hex(source);
  const record = (outcome: RewriteRecord['outcome'], usage: Usage) => {
    const keys = tools.map(({ key }) => key);
    const facts = { proposal_id, model, language, file_hash: sha256Hex(file), source_hash, keys, outcome, ...usage };
    return call.change((change) => recordRewrite(change, facts));
  };
  // No decision waits behind it meanwhile.
  call.onCall();
  return codeAssist.inTurn(call.scope.organization_id, async () => {
    const outcome = await propose(call, codeAssist);
    if (isRefusal(outcome)) return outcome;
    if ('failed' in outcome) {
      await record('FAILED', NO_USAGE);
      return call.refuse('DEPENDENCY_UNAVAILABLE', outcome.failed);
    }
    await record(outcome.refusal === null ? 'PROPOSED' : 'REFUSED', outcome.usage);
    return { proposal_id, model, language, file, source_hash, ...outcome };
  });
};
