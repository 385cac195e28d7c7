import type { ContextScope } from '@svc/contract/risk/flow-words.ts';
import type { Mark } from '@svc/domain/risk/conduct/mark.ts';
import { EMPTY_CONTEXT, type GrownContext, grow } from '@svc/domain/risk/contexts/growth.ts';
import { prepareSettings } from '@svc/domain/risk/risk-settings/resolve-settings.ts';
import type { Facts, Learned } from '@svc/enforcement/facts/facts.ts';
import { getFlow } from '@svc/enforcement/facts/flow.ts';
import { compileSet } from '@svc/policy/judge/compile-set.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { evaluate } from '@svc/policy/judge/evaluate.ts';
import { readGiven } from '@svc/policy/language/read-given.ts';
import { fillTemplate } from '@svc/policy/templates/form/fill-template.ts';
import { findTemplate } from '@svc/policy/templates/policy-templates.ts';
import { validateVersion } from '@svc/policy/validate/validate-version.ts';
import { BENCH_TOOLS, type BenchTool, INTERNAL, PROCESSORS } from './flow-tools.ts';

/** The templates under test, with one that permits everything else. */
const FLOW_TEMPLATES = [
  'secrets-stay-inside',
  'block-exfiltration-after-untrusted-content',
  'approve-confidential-egress',
  'approve-dangerous-after-untrusted-content',
  'fresh-context-for-secrets',
] as const;

type Values = Readonly<Record<string, unknown>>;

const compileTemplate = (id: string, values: Values = {}) => {
  const template = findTemplate(id);
  if (!template) throw new Error(`there is no template ${id}`);
  const filled = fillTemplate(template, values, 'USD');
  if (!('rules' in filled)) throw new Error(`the values of the template ${id} are not valid`);
  const checked = validateVersion(filled);
  if (!checked.ok) throw new Error(`the template ${id} is not valid`);
  const names = { policy_id: id, policy_name: id, version_id: id, version_number: 1 };
  return compileVersion({ ...names, binding: { scope: 'ORGANIZATION', id: 'org_1' }, body: checked.body });
};

/** Compiles templates, and those of `more` with values of their parameters. */
export const compileTemplates = (ids: readonly string[] = FLOW_TEMPLATES, more: Readonly<Record<string, Values>> = {}) =>
  compileSet([
    ...['allow-granted', ...ids].map((id) => compileTemplate(id)),
    ...Object.entries(more).map(([id, values]) => compileTemplate(id, values)),
  ]);

type Risk = ReturnType<typeof prepareSettings>;
type Processors = readonly { readonly host: string; readonly labels: readonly string[] }[];

/** The risk settings of an imaginary organization with these hosts. */
export const prepareBenchRisk = (internal_destinations: readonly string[], processors: Processors): Risk =>
  prepareSettings('PRODUCTION', {
    internal_destinations: [...internal_destinations],
    processors: processors.map(({ host, labels }) => ({ host, labels: [...labels] })),
  });

/** One request of a session, for any set of tools. */
export type SessionStep = {
  readonly tool: string;
  readonly with?: Readonly<Record<string, string>>;
  readonly in?: string;
  readonly from?: string;
  readonly isHarm?: true;
};

type Setting = { readonly tools: Readonly<Record<string, BenchTool>>; readonly risk: Risk };
const SETTING: Setting = { tools: BENCH_TOOLS, risk: prepareBenchRisk(INTERNAL, PROCESSORS) };
const readMark = (_: string, name: string): Mark => [
  [...name].reduce((sum, char) => (Math.imul(sum, 31) + char.charCodeAt(0)) >>> 0, 17),
  [...name].reduce((sum, char) => (Math.imul(sum, 131) + char.charCodeAt(0)) >>> 0, 3),
];

/** The facts of a decision that flows are computed from. */
const readFacts = (context: GrownContext, risk: Risk): Facts =>
  ({
    environment: { risk, policies: { reads: new Set(['session.tools_used']) } },
    contexts: {
      held: { ...context, id: 'ctx_1', name: 'main', started_at: '2026-01-01T00:00:00.000Z', last_used_at: '2026-01-01T00:00:00.000Z' },
      own: context,
    },
    marks: readMark,
    now: new Date('2026-01-01T00:10:00.000Z'),
  }) as unknown as Facts;

const readLearned = (name: string, { flow, host }: BenchTool, parameters: Readonly<Record<string, string>>): Learned => {
  const to = parameters.host ?? host;
  return {
    tool: { name, kind: 'SDK', flow },
    derived: { destination: to === undefined ? null : { host: to, port: 443 }, parameters },
  } as unknown as Learned;
};

type Judged = { readonly isAllowed: boolean; readonly after: GrownContext };

const judge = (
  policies: ReturnType<typeof compileTemplates>,
  each: SessionStep,
  context: GrownContext,
  { tools, risk }: Setting,
): Judged => {
  const tool = tools[each.tool];
  if (tool === undefined) throw new Error(`there is no tool ${each.tool}`);
  const flow = getFlow(readFacts(context, risk), readLearned(each.tool, tool, each.with ?? {}));
  if (flow === undefined) throw new Error('the flow of a known tool is computed');
  const given = readGiven({
    'session.labels': flow.context.labels,
    'session.labels_leaving': flow.leaving,
    'tool.name': each.tool,
    'tool.labels': tool.flow.labels,
    'tool.dangerous': tool.dangerous,
    'tool.risk_rating': tool.risk,
    capability: tool.capability ?? 'use',
    parameters: { ...each.with },
  });
  if (!given.ok) throw new Error(JSON.stringify(given));
  const isAllowed = evaluate(policies, given.context).effect === 'ALLOW';
  return { isAllowed, after: isAllowed && flow.growth !== null ? grow(context, flow.growth) : context };
};

/** Returns the steps that were not allowed. The others run and label their flow context. */
export const runSession = <Each extends SessionStep>(
  policies: ReturnType<typeof compileTemplates>,
  { steps }: { readonly steps: readonly Each[] },
  scope: ContextScope,
  setting = SETTING,
): readonly Each[] => {
  const contexts = new Map<string, GrownContext>();
  const held: Each[] = [];
  for (const each of steps) {
    const name = scope === 'AGENT' ? 'main' : (each.in ?? 'main');
    const handed = each.from === undefined ? undefined : contexts.get(each.from);
    const { isAllowed, after } = judge(policies, each, contexts.get(name) ?? handed ?? EMPTY_CONTEXT, setting);
    contexts.set(name, after);
    if (!isAllowed) held.push(each);
  }
  return held;
};
