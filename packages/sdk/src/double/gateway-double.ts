import type { WireMembers } from '../wire/read-members.ts';
import { PATHS } from '../wire/wire-format.ts';

const REASON = 'Decided by Governance.testing: no gateway was asked.';
const EFFECTS: readonly string[] = ['ALLOW', 'BLOCK', 'REQUIRE_APPROVAL', 'APPROVED', 'DENIED'];

/** A request as the gateway would get it. */
export type TestedRequest = {
  readonly tool: string;
  readonly parameters?: WireMembers;
  readonly amount?: number;
  readonly currency?: string;
  readonly destination?: string;
  readonly delegation_id?: string;
  readonly approval_id?: string;
  readonly dry_run?: boolean;
};
export type TestedOutcome = { readonly action_id: string; readonly status: string; readonly result?: unknown; readonly error?: string };

/** ALLOW; BLOCK; REQUIRE_APPROVAL (held, never decided); APPROVED or DENIED (held, then decided so); or an error code. */
export type ScriptedVerdict = 'ALLOW' | 'BLOCK' | 'REQUIRE_APPROVAL' | 'APPROVED' | 'DENIED' | (string & {});
export type Verdicts = Readonly<Record<string, ScriptedVerdict | ((request: TestedRequest) => ScriptedVerdict)>>;

type Reply = { readonly status: number; readonly body: object };

const FAR = '2999-01-01T00:00:00.000Z';
const ok = (body: object): Reply => ({ status: 200, body });
const failed = (status: number, code: string, message: string, details: object = {}): Reply => ({
  status,
  body: { error: { code, message, request_id: 'req_testing', details } },
});

const allowed = (action_id: string, reason: string): Reply => {
  const outcome = { decision: 'ALLOW', status: 'ALLOWED', mode: 'ENFORCE', code: null, execution: { state: 'BY_AGENT' } };
  return ok({ action_id, ...outcome, reason, explanation: {}, request_id: 'req_testing' });
};

export type GatewayDouble = {
  readonly fetch: typeof fetch;
  readonly requests: TestedRequest[];
  readonly outcomes: TestedOutcome[];
};

/** Opens a gateway inside this process that decides by a table. A tool that is not in the table is blocked. */
export const openGatewayDouble = (verdicts: Verdicts): GatewayDouble => {
  const requests: TestedRequest[] = [];
  const outcomes: TestedOutcome[] = [];
  const held = new Map<string, string>();

  const decide = (request: TestedRequest): Reply => {
    const number = requests.push(request);
    const entry = Object.hasOwn(verdicts, request.tool) ? verdicts[request.tool] : undefined;
    const verdict = typeof entry === 'function' ? entry(request) : entry;
    const reason = verdict === undefined ? `${REASON} It has no decision for ${request.tool}.` : REASON;
    if (verdict === undefined || verdict === 'BLOCK') return failed(403, 'ACTION_BLOCKED', reason);
    const isHeld = EFFECTS.includes(verdict) && verdict !== 'ALLOW';
    if (!isHeld && verdict !== 'ALLOW') return failed(403, verdict, reason);
    if (!isHeld || held.get(request.approval_id ?? '') === 'APPROVED') return allowed(`act_testing_${number}`, reason);
    const approval_id = `apr_testing_${number}`;
    held.set(approval_id, verdict);
    return failed(403, 'APPROVAL_REQUIRED', reason, { approval_id, poll_after_seconds: 1, expires_at: FAR });
  };

  const showApproval = (id: string): Reply => {
    const verdict = held.get(id);
    if (verdict === undefined) return failed(404, 'NOT_FOUND', 'Governance.testing has no such approval.');
    // A held request is never decided, so waiting for it ends at once.
    const status = verdict === 'REQUIRE_APPROVAL' ? 'EXPIRED' : verdict;
    const denial_reason = status === 'DENIED' ? REASON : null;
    return ok({ id, status, denial_reason, poll_after_seconds: 1, expires_at: FAR, approved_request: null });
  };

  const reply = (path: string, body: WireMembers): Reply => {
    const granted = { token: 'testing', token_type: 'Bearer', expires_in: 900, agent_id: 'agt_testing', mode: 'ENFORCE' };
    if (path === PATHS.token || path === PATHS.handshake) return ok({ data: { ...granted, tools: [], capabilities: [] } });
    if (path === PATHS.logout) return ok({ revoked: true });
    if (path === PATHS.actions) return decide(body as TestedRequest);
    if (path.startsWith(`${PATHS.approvals}/`)) return showApproval(path.slice(PATHS.approvals.length + 1));
    const [, action_id] = /\/(act_testing_\d+)\/outcome$/.exec(path) ?? [];
    if (action_id === undefined) return failed(404, 'NOT_FOUND', 'Governance.testing has no response to this call.');
    outcomes.push({ action_id, ...body } as TestedOutcome);
    return ok({ id: action_id, decision: 'ALLOW', status: body.status });
  };

  return {
    requests,
    outcomes,
    fetch: async (url, init) => {
      const { status, body } = reply(new URL(String(url)).pathname, init?.body === undefined ? {} : JSON.parse(String(init.body)));
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    },
  };
};
