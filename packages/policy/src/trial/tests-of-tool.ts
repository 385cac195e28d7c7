import type { PolicyTestCase } from '@svc/contract/policies/language.ts';
import { type AnalysedTool, fixedValue } from '../analyse/analysed-tool.ts';
import type { CompiledVersion } from '../judge/compile-version.ts';
import { readGiven } from '../language/read-given.ts';
import { newTestRunner } from './run-tests.ts';

/** The fixed values of every request for a tool, by the fields that a test may give. */
const FIXED = ['tool.capability', 'capability', 'tool.kind', 'tool.risk_rating', 'tool.dangerous'] as const;

type Move = {
  readonly before: AnalysedTool;
  readonly after: AnalysedTool;
  /** Returns why parameters do not fit the later declaration; null if they fit. */
  readonly unfit: (parameters: Readonly<Record<string, unknown>>) => string | null;
};

export type FailingTest = { readonly name: string; readonly reason: string };

const without = (given: PolicyTestCase['given'], name: string): Record<string, unknown> => {
  const [part = '', member] = name.split('.');
  const { [name]: _, ...rest } = given;
  const inner = member === undefined ? undefined : rest[part];
  if (typeof inner !== 'object' || inner === null || member === undefined) return rest;
  return { ...rest, [part]: Object.fromEntries(Object.entries(inner).filter(([key]) => key !== member)) };
};

type Context = Extract<ReturnType<typeof readGiven>, { ok: true }>['context'];

const stated = ({ tool, capability }: Context, name: (typeof FIXED)[number]): unknown => {
  if (name === 'capability') return capability;
  return tool?.[name.slice('tool.'.length) as 'capability' | 'kind' | 'risk_rating' | 'dangerous'];
};

/** Returns the test as it would be written for the later tool: each declared value is replaced by the new one. */
const rewritten = (one: PolicyTestCase, context: Context, { before, after }: Move): PolicyTestCase | undefined => {
  const moved = FIXED.filter(
    (name) => stated(context, name) === fixedValue(before, name) && fixedValue(before, name) !== fixedValue(after, name),
  );
  if (moved.length === 0) return undefined;
  const bare = moved.reduce(without, one.given as Record<string, unknown>);
  return { ...one, given: { ...bare, ...Object.fromEntries(moved.map((name) => [name, fixedValue(after, name)])) } };
};

const failing = (run: ReturnType<typeof newTestRunner>, one: PolicyTestCase, move: Move): FailingTest | undefined => {
  const read = readGiven(one.given);
  if (!read.ok || read.context.tool?.name !== move.before.name || !run(one).passed) return undefined;
  const { parameters } = read.context;
  const unfit = parameters === undefined ? null : move.unfit(parameters);
  if (unfit !== null) return { name: one.name, reason: `No request for the changed tool can have these parameters: ${unfit}` };
  const moved = rewritten(one, read.context, move);
  const difference = moved === undefined ? null : run(moved).difference;
  return difference === null ? undefined : { name: one.name, reason: `With the changed tool: ${difference}` };
};

/** Returns recorded tests that name a tool, pass, and would fail with the tool's values after a change. */
export const testsOfTool = (version: CompiledVersion, move: Move): FailingTest[] => {
  const run = newTestRunner(version);
  return version.source.body.tests.flatMap((one) => failing(run, one, move) ?? []);
};
