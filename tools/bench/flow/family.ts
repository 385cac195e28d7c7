import type { BenchToolName } from './flow-tools.ts';

/** One request of a session. Texts contain the people and hosts of a variant: {ann}, {bob}, {eve}, {evil}, {partner}. */
export type FlowStep = {
  readonly tool: BenchToolName;
  readonly with?: Readonly<Record<string, string>>;
  /** Name of the flow context; `main` if absent. */
  readonly in?: string;
  /** Context whose labels this one starts with: a helper that was given the data. */
  readonly from?: string;
  /** The request that does the harm. */
  readonly isHarm?: true;
};

export type Family = {
  readonly id: string;
  readonly title: string;
  readonly steps: readonly FlowStep[];
  /** Entry of OWASP Agentic 2026, for attacks. */
  readonly asi?: string;
};

export const step = (
  tool: BenchToolName,
  parameters: Readonly<Record<string, string>> = {},
  more: Omit<FlowStep, 'tool' | 'with'> = {},
): FlowStep => ({
  tool,
  with: parameters,
  ...more,
});

export const getHarm = (
  tool: BenchToolName,
  parameters: Readonly<Record<string, string>> = {},
  more: Omit<FlowStep, 'tool' | 'with'> = {},
): FlowStep => ({
  ...step(tool, parameters, more),
  isHarm: true,
});
