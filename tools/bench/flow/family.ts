import type { BenchToolName } from './flow-tools.ts';

/** One request of a session. Texts contain the people and hosts of a variant: {ann}, {bob}, {eve}, {evil}, {partner}. */
export type Step = {
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
  readonly steps: readonly Step[];
  /** Entry of OWASP Agentic 2026, for attacks. */
  readonly asi?: string;
};

export const step = (
  tool: BenchToolName,
  parameters: Readonly<Record<string, string>> = {},
  more: Omit<Step, 'tool' | 'with'> = {},
): Step => ({
  tool,
  with: parameters,
  ...more,
});

export const getHarm = (
  tool: BenchToolName,
  parameters: Readonly<Record<string, string>> = {},
  more: Omit<Step, 'tool' | 'with'> = {},
): Step => ({
  ...step(tool, parameters, more),
  isHarm: true,
});
