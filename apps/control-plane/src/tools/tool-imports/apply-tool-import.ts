import type { Endpoints } from '@svc/contract/endpoints.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { TAKING_OUTCOMES, type TakenTool } from '@svc/contract/tools/taken-tools.ts';
import type { ToolWarning } from '@svc/contract/tools/tools.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { readInTenant, searchInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { keysInStates, readProposals } from '@svc/postgres/tools/tool-imports/proposals.ts';
import { findImport, type ImportRow } from '@svc/postgres/tools/tool-imports/tool-imports.ts';
import type { ToolsDeps } from '../deps.ts';
import type { ApplyCall } from './taking/apply-call.ts';
import { takeChanged } from './taking/take-changed.ts';
import { takeNew } from './taking/take-new.ts';

const { takenTogetherMax, takingMs } = LIMITS.toolImports;
const WARNINGS_MAX = 100;
const OVER = 'The time of the request was over. Send it again to go on.';

const listKeys = (call: ApplyCall, of: ImportRow): Promise<readonly string[]> | readonly string[] => {
  const { keys, states } = call.body;
  return keys ?? searchInTenant(call.database, call.scope, (tx) => keysInStates(tx, of, states ?? []));
};

const untaken = (
  key: string,
  outcome: 'REFUSED' | 'NOT_REACHED' | 'UNCHANGED',
  message: string,
  tool_id: string | null = null,
): TakenTool => ({
  key,
  outcome,
  tool_id,
  code: outcome === 'REFUSED' ? 'NOT_FOUND' : null,
  message,
});

/** Applies some proposals, each as if it were requested alone: a refused one does not stop the others. */
const takeSome = async (
  call: ApplyCall,
  deps: ToolsDeps,
  of: ImportRow,
  keys: readonly string[],
  isOver: () => boolean,
): Promise<{ results: TakenTool[]; warnings: readonly ToolWarning[] }> => {
  const proposals = await readInTenant(call.database, call.scope, (tx) => readProposals(tx, of, keys));
  const known = new Map(proposals.map((proposal) => [proposal.key, proposal]));
  const created = await takeNew(
    call,
    of,
    proposals.filter(({ state }) => state === 'NEW'),
  );
  const results = new Map(created.results.map((result) => [result.key, result]));
  for (const key of keys) {
    const proposal = known.get(key);
    if (results.has(key)) continue;
    if (!proposal) results.set(key, untaken(key, 'REFUSED', 'The document proposes nothing of this key.'));
    else if (proposal.state === 'CHANGED' && isOver()) results.set(key, untaken(key, 'NOT_REACHED', OVER));
    else if (proposal.state === 'CHANGED') results.set(key, await takeChanged(call, deps, of, proposal));
    else if (proposal.state === 'UNCHANGED') results.set(key, untaken(key, 'UNCHANGED', 'It is taken over as it is.', proposal.tool_id));
    else if (proposal.state === 'GONE')
      results.set(
        key,
        untaken(key, 'REFUSED', 'The document does not contain it any more. Disable its tool if it is not needed.', proposal.tool_id),
      );
    else results.set(key, { ...untaken(key, 'REFUSED', proposal.reason ?? ''), code: 'UNPROCESSABLE' });
  }
  return { results: keys.flatMap((key) => results.get(key) ?? []), warnings: created.warnings };
};

/** Applies proposals, a few per transaction, within the time of a request. A repeated request continues. */
export const applyToolImport: Handler<Endpoints['applyToolImport'], ToolsDeps> = async (call, deps) => {
  const { keys, states } = call.body;
  if ((keys === undefined) === (states === undefined)) return call.fault('', 'Send either keys or states.');
  const { organization_id } = call.scope;
  const of = await readInTenant(call.database, call.scope, (tx) => findImport(tx, { organization_id, id: call.params.importId }));
  if (!of) return call.refuse('NOT_FOUND');
  const chosen = await listKeys(call, of);
  // No decision waits behind it meanwhile.
  call.onCall();
  const until = performance.now() + takingMs;
  const isOver = () => performance.now() > until;
  const results: TakenTool[] = [];
  const warnings: ToolWarning[] = [];
  for (let at = 0; at < chosen.length; at += takenTogetherMax) {
    const some = chosen.slice(at, at + takenTogetherMax);
    if (isOver()) {
      results.push(...some.map((key) => untaken(key, 'NOT_REACHED', OVER)));
      continue;
    }
    const taken = await takeSome(call, deps, of, some, isOver);
    results.push(...taken.results);
    warnings.push(...taken.warnings);
  }
  const counted = TAKING_OUTCOMES.map((outcome) => [outcome, results.filter((each) => each.outcome === outcome).length] as const);
  return {
    results,
    counts: Object.fromEntries(counted) as Record<TakenTool['outcome'], number>,
    warnings: warnings.slice(0, WARNINGS_MAX),
  };
};
